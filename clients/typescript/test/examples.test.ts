/** The examples run, and an agent that goes in circles is stopped in each. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { ask as askALoop } from "../examples/with-a-loop.js"
import { ask } from "../examples/with-ai-sdk.js"
import { finder } from "../examples/with-mastra.js"
import { type Turn, VERSIONS, scripted } from "./models.js"
import { Running } from "./service.js"

const running = new Running()
before(() => running.start())
after(() => running.end())

const newest = VERSIONS.at(-1)!
const call = { tool: "look", args: { customer: 7 } }
const LOOP: Turn[] = Array(40).fill([call])
const STOPPED = /Stopped by Headway \(exact_cycle\): The same look call gave the same result 3 times in a row\./

test("with the Vercel AI SDK", async () => {
  assert.match(await ask(scripted(newest, LOOP).model, "Find customer 7.", "thread-7"), STOPPED)
  assert.equal(await ask(scripted(newest, [[call]]).model, "Find customer 7.", "thread-8"), "Done.")
})

test("with Mastra", async () => {
  assert.match((await finder(scripted(newest, LOOP).model).generate("Find customer 7.", { maxSteps: 50 })).text, STOPPED)
  assert.match((await finder(scripted(newest, [[call]]).model).generate("Find customer 7.")).text, /Done\.$/)
})

test("with a loop written by hand", async () => {
  const tools = { look: async () => "nothing found" }
  assert.match(await askALoop(async () => ({ text: "I look.", call, tokens: 100 }), tools, "Find customer 7."), STOPPED)
  assert.equal(await askALoop(async () => ({ text: "Done.", tokens: 100 }), tools, "Find customer 7."), "Done.")
})
