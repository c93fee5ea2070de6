/** Mastra: an agent with Headway among its processors. */

import { Agent, type AgentConfig } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { Headway } from "headway-agents/mastra"
import { z } from "zod"

const look = createTool({
  id: "look",
  description: "Look up a customer.",
  inputSchema: z.object({ customer: z.number() }),
  execute: async ({ customer }) => `There is no customer ${customer}.`,
})

export function finder(model: AgentConfig["model"]): Agent {
  return new Agent({
    id: "finder",
    name: "finder",
    instructions: "Find customers.",
    model,
    tools: { look },
    inputProcessors: [new Headway({ maxTokens: 50_000 })],
  })
}
