"""An agent of LangChain, whose model is one of OpenAI's."""

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI


def ask(look_up_customer, address):
    model = ChatOpenAI(model="scripted", base_url=address, api_key="none")
    agent = create_agent(model, [tool(look_up_customer)])
    agent.invoke({"messages": [("user", "Look up our customers.")]}, {"recursion_limit": 100})
