/** Runs of the Vercel AI SDK, each version with its own mock model, against a real service. */

import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"

import { z } from "zod"

import { Headway } from "headway-agents/ai-sdk"
import { type Turn, TOKENS, VERSIONS, messagesOf, said, scripted } from "./models.js"
import { Running, inPython } from "./service.js"

const running = new Running()
before(() => running.start())
after(() => running.end())

const PROMPT = "Find the customer."
const LOOP: Turn[] = Array(40).fill([{ tool: "look", args: { customer: 7 } }])
const PARALLEL: Turn[] = Array(40).fill([
  { tool: "look", args: { customer: 7 } },
  { tool: "search", args: { query: "seven" } },
])
const HONEST: Turn[] = Array.from({ length: 12 }, (_, n) => [
  { tool: "look", args: { customer: n } },
  { tool: "search", args: { query: `street ${n}` } },
])

/** The output of each tool, here and in Python. */
const outputs: Record<string, (args: any) => string> = {
  look: ({ customer }) => (customer === 7 ? "nothing found" : `customer ${customer} lives in street ${customer * 3}`),
  search: ({ query }) => `no hits for ${query}`,
  fails: () => "no environment of this name",
}

function toolsOf(ai: any, ran: string[] = []): any {
  const tool = (name: string, inputSchema: any, execute: any) => ai.tool({ description: name, inputSchema, execute })
  return {
    look: tool("look", z.object({ customer: z.number() }), async (args: any) => (ran.push("look"), outputs.look!(args))),
    search: tool("search", z.object({ query: z.string() }), (args: any) => (ran.push("search"), outputs.search!(args))),
    fails: tool("fails", z.object({}), async () => {
      ran.push("fails")
      throw new Error(outputs.fails!({}))
    }),
  }
}

/** Run to the end; everything that a caller can see of it. */
async function run(ai: any, way: string, settings: any): Promise<{ text: string; seen: string; result: any; messages: any[] }> {
  const options = { stopWhen: ai.stepCountIs ? ai.stepCountIs(60) : ai.isStepCount(60), maxRetries: 0, ...settings }
  const result = await ai[way](options)
  const parts: object[] = []
  if (way === "streamText") for await (const part of result.fullStream) parts.push(part)
  const steps = (await result.steps).map((step: any) => [step.content, step.finishReason, step.usage, step.text])
  const messages = messagesOf(result.responseMessages ? { responseMessages: await result.responseMessages } : { response: await result.response })
  return { text: await result.text, seen: JSON.stringify([parts.map(withoutChance), steps, messages]), result, messages }
}

/** A part without what differs between any two runs: times, and ids that the SDK makes up. */
function withoutChance(part: any): object {
  const text = JSON.stringify(part, (name, value) => (/timestamp|performance|^id$|Ms$|callId/.test(name) ? undefined : value))
  return JSON.parse(text)
}

function steps(script: Turn[]): object[] {
  return script.map((turn) => (turn as any[]).map(({ tool, args }) => ({ tool, args, output: outputs[tool]!(args), ...(tool === "fails" && { failed: true }) })))
}

for (const version of VERSIONS)
  for (const way of ["generateText", "streamText"])
    describe(`${version.name}, ${way}`, () => {
      const { ai } = version

      test("an honest run is the same, watched or not", async () => {
        // In a stream, results of parallel calls come in the order in which the tools end.
        const script = way === "streamText" ? HONEST.map((turn) => [turn[0]] as Turn) : HONEST
        const alone = scripted(version, script)
        const plain = await run(ai, way, { model: alone.model, tools: toolsOf(ai), prompt: PROMPT })
        const { model, prompts } = scripted(version, script)
        const warnings: string[] = []
        const headway = new Headway({ warn: (text) => warnings.push(text) })
        const watched = await run(ai, way, headway.watched({ model, tools: toolsOf(ai), prompt: PROMPT }))

        assert.equal(watched.seen, plain.seen)
        assert.deepEqual(prompts, alone.prompts)
        assert.equal(watched.text, "Done.")
        assert.deepEqual(warnings, [])
      })

      test("the model of an honest run with parallel calls reads the same, watched or not", async () => {
        const alone = scripted(version, HONEST)
        await run(ai, way, { model: alone.model, tools: toolsOf(ai), prompt: PROMPT })
        const { model, prompts } = scripted(version, HONEST)
        await run(ai, way, new Headway().watched({ model, tools: toolsOf(ai), prompt: PROMPT }))

        assert.equal(prompts.length, 13)
        assert.deepEqual(prompts, alone.prompts)
      })

      for (const [name, script] of Object.entries({ LOOP, PARALLEL, FAILING: Array(40).fill([{ tool: "fails", args: {} }]) as Turn[] }))
        test(`${name}: told, refused and stopped at the same steps as by an adapter in Python`, async () => {
          const expected = inPython({ prompt: PROMPT, tokens: TOKENS, steps: steps(script) })
          const { model, prompts } = scripted(version, script)
          const decisions: string[] = []
          const headway = new Headway({ onDecision: ({ action }) => decisions.push(action) })
          const watch = headway.conversation()
          const { text, result, messages } = await run(ai, way, headway.watched({ model, tools: toolsOf(ai), prompt: PROMPT }, watch))

          assert.ok(expected.steps.some(({ told }) => told), "Python tells")
          const heard = said(prompts)
          assert.deepEqual(heard.map(({ told }) => told), expected.steps.map(({ told }) => told))
          assert.deepEqual(heard.slice(0, -1).map(({ refused }) => refused), expected.steps.slice(0, -1).map(({ refused }) => refused))
          assert.equal(watch.stopped?.message ?? null, expected.last)
          assert.equal(text, expected.last)
          assert.deepEqual(decisions.filter((one) => one === "stop"), ["stop"])
          assert.equal((await result.providerMetadata).headway.reason, watch.stopped?.reason)
          assertAnswered(messages)
        })

      test("a budget is held, and the caller reads why", async () => {
        const { model, prompts } = scripted(version, HONEST)
        const headway = new Headway({ maxTokens: 500 })
        const { text, messages } = await run(ai, way, headway.watched({ model, tools: toolsOf(ai), prompt: PROMPT }))

        assert.match(text, /^Stopped by Headway \(spend\): /)
        assert.ok(prompts.length * 110 <= 500, `${prompts.length} requests`)
        assertAnswered(messages)
      })

      test("a refused call is not run", async () => {
        const ran: string[] = []
        const { model, prompts } = scripted(version, LOOP)
        await run(ai, way, new Headway().watched({ model, tools: toolsOf(ai, ran), prompt: PROMPT }))
        const refused = said(prompts).flatMap(({ refused }) => refused).filter(Boolean).length

        assert.ok(refused > 0)
        assert.ok(ran.length <= prompts.length - refused)
      })

      test("the mode nudge only tells", async () => {
        const { model, prompts } = scripted(version, LOOP.slice(0, 20))
        const { text } = await run(ai, way, new Headway({ mode: "nudge" }).watched({ model, tools: toolsOf(ai), prompt: PROMPT }))

        assert.equal(text, "Done.")
        assert.ok(said(prompts).some(({ told }) => told))
        assert.deepEqual(said(prompts).flatMap(({ refused }) => refused).filter(Boolean), [])
      })
    })

/** Every call of a transcript has a result. */
function assertAnswered(messages: any[]): void {
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content))
  const ids = (type: string) => parts.filter((part: any) => part.type === type).map((part: any) => part.toolCallId)
  assert.ok(ids("tool-call").length > 0)
  assert.deepEqual(ids("tool-call").sort(), ids("tool-result").sort())
}
