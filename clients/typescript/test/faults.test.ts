/** A service that is down, slow, strange or killed: the agent goes on, and there is one warning. */

import assert from "node:assert/strict"
import { mkdtempSync, rmdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type TestContext, after, before, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"

import { CallRefused, Headway, RunStopped, type Watch } from "headway-agents"
import { Running } from "./service.js"

const running = new Running()
before(() => running.start())
after(() => running.end())

/** The same call again and again; what it was answered each time. */
async function loop(watch: Watch, times: number, output: (n: number) => string = () => "nothing found"): Promise<string[]> {
  const answers: string[] = []
  for (let n = 0; n < times; n++) {
    watch.beforeModel()
    try {
      answers.push(await watch.call("look", { customer: 7 }, () => output(n)))
    } catch (error) {
      assert.ok(error instanceof CallRefused)
      answers.push(error.name)
    }
  }
  return answers
}

type Said = { status?: number; body: string } | undefined

/** A server that answers as it is told. */
async function answering(context: TestContext, answer: (n: number, event: any) => Said | Promise<Said>): Promise<{ url: string; asked: () => number; end: () => void }> {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const chunks: Buffer[] = []
    request.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
      const said = await answer(asked, JSON.parse(Buffer.concat(chunks).toString()))
      if (said) response.writeHead(said.status ?? 200).end(said.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const end = () => (server.closeAllConnections(), server.close())
  context.after(end)
  return { url: `http://127.0.0.1:${port}`, asked: () => asked, end }
}

for (const [name, body] of Object.entries({ "no JSON": "<html>", "a list": "[1]", "another object": '{"stop": 7}', "null": "null" }))
  test(`an answer that is ${name} changes nothing`, async (context) => {
    const { url } = await answering(context, () => ({ body }))
    const warnings: string[] = []
    const headway = new Headway({ url, token: "t", warn: (text) => warnings.push(text) })

    assert.deepEqual(await loop(headway.conversation(), 20), Array(20).fill("nothing found"))
    assert.equal(warnings.length, 1)
    })

for (const status of [301, 401, 404, 429, 500, 503])
  test(`the status ${status} changes nothing`, async (context) => {
    const { url } = await answering(context, () => ({ status, body: '{"error": "no"}' }))
    const warnings: string[] = []
    const headway = new Headway({ url, token: "t", warn: (text) => warnings.push(text) })

    assert.deepEqual(await loop(headway.conversation(), 20), Array(20).fill("nothing found"))
    assert.equal(warnings.length, 1)
    })

test("nobody listens: the agent goes on, with one warning for all conversations", async (context) => {
  const { url, end } = await answering(context, () => undefined)
  end()
  const warnings: string[] = []
  const headway = new Headway({ url, token: "t", warn: (text) => warnings.push(text) })

  for (const name of ["one", "two"]) assert.deepEqual(await loop(headway.conversation(name), 300), Array(300).fill("nothing found"))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /ECONNREFUSED.*headway serve/)
})

test("a service that never answers is waited for once, and then left alone for a while", async (context) => {
  const { url, asked } = await answering(context, () => undefined)
  const warnings: string[] = []
  const headway = new Headway({ url, token: "t", timeout: 1_000, warn: (text) => warnings.push(text) })

  assert.deepEqual(await loop(headway.conversation(), 30), Array(30).fill("nothing found"))
  assert.equal(asked(), 1)
  assert.deepEqual(warnings.length, 1)
  assert.match(warnings[0]!, /did not answer in time/)
})

test("after an outage the agent waits for one timeout, and the service hears everything in order", async (context) => {
  const heard: string[] = []
  const { url } = await answering(context, async (n, { event, args }) => {
    if (n === 1) return { status: 503, body: "" }
    await sleep(200)
    heard.push(`${event} ${args.n}`)
    return { body: event === "called" && args.n === "last" ? '{"deny": "no"}' : "" }
  })
  const watch = new Headway({ url, token: "t", timeout: 1_500, warn: () => undefined }).conversation()
  const call = (n: number | string) => watch.call("look", { n }, () => n)
  for (let n = 0; n < 12; n++) await call(n)
  await sleep(5_100) // for so long it is not asked
  const start = performance.now()
  assert.equal(await call(12), 12)
  const took = performance.now() - start
  assert.ok(took < 1.5 * 1_500, `${took} ms`)
  assert.ok(heard.length < 24, "the service was not slow")

  const all = Array.from({ length: 13 }, (_, n) => [`called ${n}`, `returned ${n}`]).flat()
  for (let tries = 0; tries < 300 && heard.length < all.length; tries++) await sleep(100)
  assert.deepEqual(heard, all)
  await sleep(500) // the last answer is on its way
  await assert.rejects(call("last"), CallRefused) // it is heard in time again
})

test("an agent that is much faster than the service is not watched after 256 events, with one warning", async (context) => {
  const { url, asked } = await answering(context, async () => (await sleep(200), { body: "" }))
  const warnings: string[] = []
  const watch = new Headway({ url, token: "t", timeout: 1_000, warn: (text) => warnings.push(text) }).conversation()
  await Promise.all(Array.from({ length: 20 }, () => watch.userSpoke("Find it.")))

  assert.deepEqual(await loop(watch, 300), Array(300).fill("nothing found"))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /more than 256 events wait/)
  await sleep(1_000)
  assert.ok(asked() < 20, `${asked()} were sent`)
})

test("a name that is cut in the middle of a character is a name like others", async () => {
  const warnings: string[] = []
  const headway = new Headway({ warn: (text) => warnings.push(text) })
  const cut = headway.conversation("Plan my trip 🙂".slice(0, 14), "🙂".slice(1))
  assert.equal(await cut.call("read", {}, () => "x"), "x")
  assert.ok((await loop(cut, 12)).includes("RunStopped"))
  const others = ["Plan my trip \ufffd", "Plan my trip %ud83d", "Plan my trip \ud83e"].map((name) => headway.conversation(name, "🙂".slice(1)))
  for (const other of others) assert.deepEqual(await loop(other, 2), ["nothing found", "nothing found"])
  assert.deepEqual(warnings, [])
})

test("a working folder that was removed does not matter", async (context) => {
  const before = process.cwd()
  context.after(() => process.chdir(before))
  const removed = mkdtempSync(join(tmpdir(), "hw"))
  process.chdir(removed)
  rmdirSync(removed)
  assert.throws(() => process.cwd(), /ENOENT/)
  const warnings: string[] = []
  const watch = new Headway({ warn: (text) => warnings.push(text) }).conversation()

  assert.ok((await loop(watch, 12)).includes("RunStopped"))
  assert.deepEqual(warnings, [])
})

test("an error that cannot be read reaches the agent unchanged, with one warning", async () => {
  const odd = new (class extends Error {
    override get message(): string {
      throw new Error("mine")
    }
  })()
  const warnings: string[] = []
  const watch = new Headway({ warn: (text) => warnings.push(text) }).conversation()
  for (let n = 0; n < 2; n++) {
    const found = await watch.call("odd", { n }, () => Promise.reject(odd)).catch((error: unknown) => error)
    assert.ok(found === odd)
  }
  assert.equal(warnings.length, 1)
})

test("a logger and a listener that throw do not reach the agent", async (context) => {
  const throws = () => {
    throw new Error("mine")
  }
  const answers = await loop(new Headway({ onDecision: throws, warn: throws }).conversation(), 20)
  assert.ok(answers.includes("RunStopped"))
  const { url } = await answering(context, () => ({ body: "?" }))
  assert.deepEqual(await loop(new Headway({ url, token: "t", warn: throws }).conversation(), 3), Array(3).fill("nothing found"))
})

test("a wrong setting is told once, and the agent goes on", async () => {
  const warnings: string[] = []
  const headway = new Headway({ settings: { globl: {} }, warn: (text) => warnings.push(text) })

  assert.deepEqual(await loop(headway.conversation(), 20), Array(20).fill("nothing found"))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /did you mean 'global'/)
})

test("a wrong option, and an address outside of this machine, are refused at once", () => {
  assert.throws(() => new Headway({ maxTokns: 5 } as any), /unknown option maxTokns/)
  assert.throws(() => new Headway({ url: "http://10.0.0.7:4319" }), /must begin with https/)
  assert.throws(() => new Headway({ url: "https://example.org" }), /needs its own token/)
  assert.doesNotThrow(() => new Headway({ url: "https://example.org", token: "t" }))
  assert.doesNotThrow(() => new Headway({ url: "http://[::1]:4319" }))
})

test("a wrong token is not an answer", async () => {
  const warnings: string[] = []
  const headway = new Headway({ url: running.url, token: "x".repeat(40), warn: (text) => warnings.push(text) })

  assert.deepEqual(await loop(headway.conversation(), 20), Array(20).fill("nothing found"))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /401.*The token does not fit.*HEADWAY_TOKEN.*HEADWAY_STATE_DIR/)
  assert.doesNotMatch(warnings[0]!, /running\?/)
})

test("conversations, and the agents of one, are watched separately", async () => {
  const headway = new Headway()
  const looping = headway.conversation("thread-1", "finder")
  const others = [headway.conversation("thread-1", "writer"), headway.conversation("thread-2", "finder"), headway.conversation("thread-1")]
  const answers = await Promise.all([loop(looping, 12), ...others.map((watch) => loop(watch, 12, (n) => `result ${n * 7}`))])

  assert.ok(answers[0]!.includes("RunStopped"))
  assert.equal(looping.stopped?.reason, "exact_cycle")
  for (const [at, watch] of others.entries()) {
    assert.equal(watch.stopped, undefined)
    assert.deepEqual(answers[at + 1], Array.from({ length: 12 }, (_, n) => `result ${n * 7}`))
  }
  assert.equal(headway.conversation("thread-1", "finder"), looping)
})

test("a conversation in which each step is a new process is one conversation", async () => {
  const answers: string[] = []
  for (let n = 0; n < 12; n++) answers.push(...(await loop(new Headway().conversation("serverless"), 1)))

  assert.deepEqual(answers.slice(0, 3), Array(3).fill("nothing found"))
  assert.equal(answers.at(-1), "RunStopped")
})

test("names that look alike are different conversations", async () => {
  const headway = new Headway()
  await loop(headway.conversation("a/b"), 12)
  const other = headway.conversation("a", "b")
  assert.deepEqual(await loop(other, 2), ["nothing found", "nothing found"])
  assert.equal(other.stopped, undefined)
  for (const [name, agent] of [["only"], ["", "only"], ["", ""]]) {
    const watch = headway.conversation(name, agent)
    const [first, ...rest] = await loop(watch, 12)
    assert.equal(first, "nothing found")
    assert.ok(rest.includes("RunStopped"))
  }
})

test("when the user speaks, a stopped run goes on", async () => {
  const watch = new Headway().conversation()
  await watch.userSpoke("Find it.")
  await loop(watch, 12)
  assert.ok(watch.stopped)
  await watch.userSpoke("Look once more, please.")
  assert.equal(watch.stopped, undefined)
  assert.deepEqual(await loop(watch, 1), ["nothing found"])
})

test("an error that stops has the reason", async () => {
  const watch = new Headway({ maxTokens: 100 }).conversation()
  await watch.answered("I look.", { tokensIn: 90, tokensOut: 9 })
  await assert.rejects(watch.call("look", {}, () => "ran"), (error) => error instanceof RunStopped && error.reason === "spend")
})

test("what is no JSON is no reason to fail", async () => {
  const circle: any = {}
  circle.self = circle
  const watch = new Headway().conversation()
  for (const odd of [circle, 10n, undefined, null, Symbol("x"), () => 1, "\ud800", new Map([[1, 2]])]) {
    assert.equal(await watch.call("odd", odd, () => odd), odd)
  }
  assert.deepEqual(Object.keys(await watch.call("odd", {}, () => circle)), ["self"])
})

test("a service that is killed in the middle, and started again, has missed nothing", async () => {
  const warnings: string[] = []
  const watch = new Headway({ warn: (text) => warnings.push(text) }).conversation("killed")
  await watch.userSpoke("Find it.")
  assert.deepEqual(await loop(watch, 2), ["nothing found", "nothing found"])
  await running.kill()
  assert.deepEqual(await loop(watch, 2), ["nothing found", "nothing found"])
  assert.equal(warnings.length, 1)
  await running.start()
  await sleep(5_100) // for so long it is not asked
  const answers = await loop(watch, 8)
  assert.ok(watch.stopped)
  const ran = answers.indexOf("CallRefused")
  assert.ok(ran >= 0 && ran <= 2, answers.join())
})
