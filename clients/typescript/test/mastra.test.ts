/** Agents of Mastra, with the mock models of the AI SDK, against a real service. */

import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"

import { Agent } from "@mastra/core/agent"
import { RequestContext } from "@mastra/core/request-context"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"

import { Headway } from "headway-agents/mastra"
import { type Turn, TOKENS, VERSIONS, said, scripted } from "./models.js"
import { Running, inPython } from "./service.js"

const running = new Running()
before(() => running.start())
after(() => running.end())

const PROMPT = "Find the customer."
const LOOP: Turn[] = Array(40).fill([
  { tool: "look", args: { customer: 7 } },
  { tool: "look", args: { customer: 8 } },
])
const HONEST: Turn[] = Array.from({ length: 9 }, (_, n) => [{ tool: "look", args: { customer: n } }])

const output = (customer: number) => ({ found: customer === 7 ? [] : [customer * 3] })

const look = createTool({
  id: "look",
  description: "Look up a customer.",
  inputSchema: z.object({ customer: z.number() }),
  execute: async ({ customer }) => {
    if (customer === 13) throw new Error("no such customer")
    return output(customer)
  },
})

function agentOf(model: any, headway?: Headway): Agent {
  return new Agent({ id: "finder", name: "finder", instructions: "Help.", model, tools: { look }, ...(headway && { inputProcessors: [headway] }) })
}

/** Run to the end; everything that a caller can see of it, without ids and times that Mastra makes up. */
async function run(agent: Agent, way: string, more: object = {}): Promise<{ text: string; seen: string; result: any }> {
  const options = { maxSteps: 60, ...more } as any
  const result: any = way === "generate" ? await agent.generate(PROMPT, options) : await agent.stream(PROMPT, options)
  const parts: any[] = []
  if (way === "stream") for await (const part of result.fullStream) parts.push(part.type)
  const steps = (await result.steps).map((step: any) => [step.text, step.finishReason, step.usage, step.toolResults.map((one: any) => [one.payload.toolName, one.payload.result])])
  return { text: steps.at(-1)[0], seen: JSON.stringify([parts, steps, await result.usage]), result }
}

const withoutTimes = (prompts: any[][]) => JSON.parse(JSON.stringify(prompts, (name, value) => (name === "createdAt" ? undefined : value)))

for (const version of VERSIONS)
  for (const way of ["generate", "stream"])
    describe(`Mastra with models of ${version.name}, ${way}`, () => {
      test("an honest run is the same, watched or not", async () => {
        const alone = scripted(version, HONEST)
        const plain = await run(agentOf(alone.model), way)
        const { model, prompts } = scripted(version, HONEST)
        const watched = await run(agentOf(model, new Headway()), way)

        assert.equal(watched.text, "Done.")
        assert.equal(watched.seen, plain.seen)
        assert.deepEqual(withoutTimes(prompts), withoutTimes(alone.prompts))
      })

      test("a loop is told, refused and stopped at the same steps as by an adapter in Python", async () => {
        const steps = LOOP.map((turn) => (turn as any[]).map(({ tool, args }) => ({ tool, args, output: JSON.stringify(output(args.customer)) })))
        const expected = inPython({ prompt: PROMPT, tokens: TOKENS, steps })
        const { model, prompts } = scripted(version, LOOP)
        const decisions: any[] = []
        const { text } = await run(agentOf(model, new Headway({ onDecision: (one) => decisions.push(one) })), way)
        const heard = said(prompts)

        assert.equal(text, expected.last)
        assert.deepEqual(heard.map(({ told }) => told), expected.steps.map(({ told }) => told))
        assert.deepEqual(heard.slice(0, -1).map(({ refused }) => refused), expected.steps.slice(0, -1).map(({ refused }) => refused))
        assert.equal(decisions.filter(({ action }) => action === "stop").length, 1)
      })

      test("a budget is held", async () => {
        const { model, prompts } = scripted(version, HONEST)
        const { text } = await run(agentOf(model, new Headway({ maxTokens: 500 })), way)

        assert.match(text, /^Stopped by Headway \(spend\): /)
        assert.ok(prompts.length * 110 <= 500)
      })
    })

test("a thread is a conversation, and a run without one is its own", async () => {
  const headway = new Headway({ agent: "finder" })
  const names: string[] = []
  const plain = headway.conversation.bind(headway)
  headway.conversation = (name, agent) => {
    const watch = plain(name, agent)
    names.push(`${watch.conversation} ${watch.agent}`)
    return watch
  }
  const version = VERSIONS.at(-1)!
  const ask = (more: object = {}) => run(agentOf(scripted(version, HONEST).model, headway), "generate", more)
  const requestContext = new RequestContext()
  requestContext.set("mastra__threadId", "thread-7")
  await ask({ requestContext })
  await ask({ requestContext })
  await ask()
  await ask()

  assert.deepEqual(names.slice(0, 2), ["thread-7 finder", "thread-7 finder"])
  assert.equal(new Set(names).size, 3)
})

test("what Mastra does not give is no reason to fail", async () => {
  const warnings: string[] = []
  const headway = new Headway({ warn: (text) => warnings.push(text) })
  assert.deepEqual(await headway.processInputStep({ model: "openai/gpt-5", messageList: {} }), {})
  assert.deepEqual(await headway.processInputStep({} as any), {})
  assert.equal(warnings.length, 1)
})

test("a tool that throws is the same, watched or not", async () => {
  const version = VERSIONS.at(-1)!
  const script: Turn[] = [[{ tool: "look", args: { customer: 13 } }], [{ tool: "look", args: { customer: 2 } }]]
  const alone = scripted(version, script)
  const { seen } = await run(agentOf(alone.model), "generate")
  const { model, prompts } = scripted(version, script)

  assert.equal((await run(agentOf(model, new Headway()), "generate")).seen, seen)
  assert.deepEqual(withoutTimes(prompts), withoutTimes(alone.prompts))
})

test("sessions are on the dashboard, by the name of the framework", async () => {
  const hosts = (await running.sessions()).map(({ host }) => host)
  assert.deepEqual([...new Set(hosts)], ["mastra"])
})
