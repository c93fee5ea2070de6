/** Tools of all kinds behind the Vercel AI SDK. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { z } from "zod"

import { CallRefused } from "headway-agents"
import { Headway } from "headway-agents/ai-sdk"
import { type Turn, VERSIONS, messagesOf, said, scripted } from "./models.js"
import { Running } from "./service.js"

const running = new Running()
before(() => running.start())
after(() => running.end())

const newest = VERSIONS.at(-1)!
const options = { toolCallId: "c", messages: [] }

test("a tool keeps everything but its function, and its function gets the same arguments", async () => {
  const seen: unknown[] = []
  const look = { description: "look", strict: true, execute: (...given: unknown[]) => (seen.push(...given), 7) }
  const asks = { description: "asks the user" }
  const { tools } = new Headway().watched({ model: {}, tools: { look, asks } })

  assert.deepEqual({ ...tools.look, execute: 0 }, { ...look, execute: 0 })
  assert.equal(tools.asks, asks)
  assert.equal(await tools.look.execute({ a: 1 }, options), 7)
  assert.deepEqual(seen, [{ a: 1 }, options])
})

test("a tool that throws throws the same error, and the calls count as failed", async () => {
  const error = new Error("no environment of this name")
  const fails = { execute: async () => Promise.reject(error) }
  const headway = new Headway()
  const { tools } = headway.watched({ model: {}, tools: { fails } })
  const errors: unknown[] = []
  for (let n = 0; n < 12; n++) errors.push(await tools.fails.execute().catch((found: unknown) => found))

  assert.deepEqual(errors.slice(0, 3), [error, error, error])
  assert.ok(errors.some((found) => found instanceof CallRefused))
})

for (const [kind, execute] of Object.entries({
  "a generator": async function* () {
    yield "looking"
    yield "found 7"
  },
  "a function that gives an iterable": () => new ReadableStream({ start: (c) => (c.enqueue("looking"), c.enqueue("found 7"), c.close()) }),
}))
  test(`${kind} gives its pieces, and is refused like others`, async () => {
    const { tools } = new Headway().watched({ model: {}, tools: { look: { execute } } })
    const call: () => any = tools.look.execute
    if (kind !== "a generator") assert.equal(await call(), "found 7") // now it is known
    const pieces: string[] = []
    for await (const piece of call()) pieces.push(piece)
    assert.deepEqual(pieces, ["looking", "found 7"])
    const errors: unknown[] = []
    for (let n = 0; n < 12; n++) {
      try {
        for await (const _ of call());
      } catch (error) {
        errors.push(error)
      }
    }
    assert.ok(errors.length > 0 && errors.every((error) => error instanceof CallRefused))
  })

test("an aborted call says nothing about the tool", async () => {
  const abort = new AbortController()
  const decisions: unknown[] = []
  const headway = new Headway({ onDecision: (decision) => decisions.push(decision) })
  const execute = async (_: unknown, __: unknown): Promise<never> => Promise.reject(new Error("aborted"))
  const { tools } = headway.watched({ model: {}, tools: { look: { execute } } })
  abort.abort()
  for (let n = 0; n < 12; n++) await assert.rejects(tools.look.execute({}, { abortSignal: abort.signal }), /aborted/)
  assert.deepEqual(decisions, [])
})

test("a model must be given itself, and not by its name", () => {
  assert.throws(() => new Headway().watched({ model: "openai/gpt-5" }), /give the model itself/)
})

for (const version of VERSIONS) {
  const { ai } = version

  test(`${version.name}: calls that the browser runs are known from the next request`, async () => {
    const script: Turn[] = Array(40).fill([{ tool: "locate", args: { what: "place" } }])
    const { model, prompts } = scripted(version, script)
    const headway = new Headway()
    const tools = { locate: ai.tool({ description: "locate", inputSchema: z.object({ what: z.string() }) }) }
    const messages: any[] = [{ role: "user", content: "Where am I?" }]
    let text = ""
    for (let n = 0; n < 15 && !text; n++) {
      const result = await ai.generateText(headway.watched({ model, tools, messages }, "browser " + version.name))
      text = result.text.startsWith("Stopped") ? result.text : ""
      messages.push(...messagesOf(result))
      const results = result.toolCalls.map(({ toolCallId, toolName }: any) => ({ type: "tool-result", toolCallId, toolName, output: { type: "text", value: "no place" } }))
      if (results.length) messages.push({ role: "tool", content: results })
    }
    assert.match(text, /^Stopped by Headway/)
    assert.ok(said(prompts).some(({ told }) => told))
  })

  test(`${version.name}: a new message of the user is a new turn, and a request that is sent again is none`, async () => {
    const headway = new Headway()
    const tools = { look: ai.tool({ description: "look", inputSchema: z.object({}), execute: () => "nothing found" }) }
    const looping = () => scripted(version, Array(40).fill([{ tool: "look", args: {} }])).model
    const watch = headway.conversation("turns " + version.name)
    const stopWhen = ai.stepCountIs ? ai.stepCountIs(30) : ai.isStepCount(30)
    const first = await ai.generateText(headway.watched({ model: looping(), tools, prompt: "Find it.", stopWhen }, watch))
    assert.match(first.text, /^Stopped by Headway/)
    const messages = [{ role: "user", content: "Find it." }, ...messagesOf(first)]
    const again = await ai.generateText(headway.watched({ model: looping(), tools, messages, stopWhen }, watch))
    assert.equal(again.text, first.text)
    assert.equal(again.steps.length, 1)
    messages.push({ role: "user", content: "Go on." })
    const { model } = scripted(version, ["I found it."])
    assert.equal((await ai.generateText(headway.watched({ model, tools, messages, stopWhen }, watch))).text, "I found it.")
  })

  test(`${version.name}: a model that fails is told the next time`, async () => {
    const headway = new Headway()
    const watch = headway.conversation("fails " + version.name)
    for (let n = 0; n < 3; n++) {
      watch.beforeModel()
      await watch.call("look", {}, () => "nothing found")
    }
    const { model, prompts } = scripted(version, ["Done."])
    const plain = model.doGenerate
    let failed = 0
    model.doGenerate = async (request: any) => (failed++ ? plain(request) : Promise.reject(new Error("overloaded")))
    const messages = [{ role: "assistant", content: "I look." }]
    await assert.rejects(ai.generateText(headway.watched({ model, messages, maxRetries: 0 }, watch)), /overloaded/)
    await ai.generateText(headway.watched({ model, messages, maxRetries: 0 }, watch))
    assert.match(said(prompts)[0]!.told ?? "", /^\[headway\] The same look call/)
  })

  test(`${version.name}: a stopped run that should give an object fails with the reason`, async () => {
    const headway = new Headway({ maxTokens: 100 })
    const { model } = scripted(version, ['{"a": 1}', '{"a": 1}'])
    const settings = { model, schema: z.object({ a: z.number() }), prompt: "Give it." }
    const give = () => (ai.generateObject ? ai.generateObject(headway.watched(settings, "object")) : Promise.reject("none"))
    await give().catch(() => undefined)
    await assert.rejects(give(), ({ name, reason }: any) => name === "RunStopped" && reason === "spend")
  })
}

test("an agent made of watched settings is watched", async () => {
  const { model, prompts } = scripted(newest, Array(40).fill([{ tool: "look", args: {} }]))
  const tools = { look: newest.ai.tool({ description: "look", inputSchema: z.object({}), execute: () => "nothing found" }) }
  const agent = new newest.ai.ToolLoopAgent(new Headway().watched({ model, tools }))

  assert.match((await agent.generate({ prompt: "Find it." })).text, /^Stopped by Headway/)
  assert.ok(said(prompts).some(({ told }) => told))
})

test("what the provider of the model runs is known, too", async () => {
  const answers = Array.from({ length: 12 }, (_, n) => [
    { type: "tool-call", toolCallId: `${n}`, toolName: "web_search", input: '{"query":"seven"}', providerExecuted: true },
    { type: "tool-result", toolCallId: `${n}`, toolName: "web_search", result: { hits: [] }, providerExecuted: true },
  ])
  const decisions: any[] = []
  const watch = new Headway({ onDecision: (one) => decisions.push(one) }).conversation()
  const model = { specificationVersion: "v4", modelId: "m", doGenerate: async () => ({ content: answers.shift(), usage: {} }) }
  const { model: watched } = new Headway().watched({ model: model as any }, watch)
  while (answers.length && !watch.stopped) await watched.doGenerate({ prompt: [{ role: "tool", content: [] }] })

  assert.equal(decisions[0].action, "nudge")
  assert.ok(watch.stopped)
})

test("sessions are on the dashboard, by the name of the framework", async () => {
  const { model } = scripted(newest, [[{ tool: "look", args: {} }]])
  const tools = { look: newest.ai.tool({ description: "look", inputSchema: z.object({}), execute: () => "found" }) }
  const headway = new Headway()
  await newest.ai.generateText(headway.watched({ model, tools, prompt: "Find Ada.", stopWhen: () => false }, "on the board"))
  const session = (await running.sessions()).find((one) => one.session === "on%20the%20board")

  assert.equal(session.host, "ai-sdk")
  assert.equal(session.model, "scripted")
  assert.equal(session.prompt, "Find Ada.")
  assert.equal(session.steps, 1)
  assert.equal(session.tokens, 220)
})
