/** A tool that is watched: a refused call fails with the reason, which the model reads as its result. */

import { transcriptOf } from "./model.js"
import type { Watch } from "./watch.js"

interface Tool {
  execute?: (input: unknown, options: Options) => unknown
}

interface Options {
  toolCallId?: string
  abortSignal?: AbortSignal
}

/** The same tools, watched. */
export function watchedTools<T extends object>(tools: T, watch: Watch): T {
  const entries = Object.entries(tools).map(([name, tool]) => [name, watchedTool(name, tool, watch)])
  return Object.fromEntries(entries) as T
}

function watchedTool(name: string, tool: Tool | undefined, watch: Watch): Tool | undefined {
  if (typeof tool?.execute !== "function") return tool // the user, the browser or the provider runs it
  let streams = Object.prototype.toString.call(tool.execute) === "[object AsyncGeneratorFunction]"
  const run = (input: unknown, options: Options) => tool.execute!(input, options)

  /** A tool that gives its result in pieces; the last one is the result. */
  async function* streamed(input: unknown, options: Options): AsyncGenerator<unknown> {
    const call = await begun(input, options)
    let last: unknown
    try {
      for await (last of run(input, options) as AsyncIterable<unknown>) yield last
    } catch (error) {
      if (!options?.abortSignal?.aborted) await call.failed(error)
      throw error
    }
    await call.returned(last)
  }

  async function complete(input: unknown, options: Options): Promise<unknown> {
    const call = await begun(input, options)
    try {
      const output = await whole(await run(input, options))
      await call.returned(output)
      return output
    } catch (error) {
      if (!options?.abortSignal?.aborted) await call.failed(error)
      throw error
    }
  }

  /** Only a call shows that a plain function gives its result in pieces; this first one comes in one piece. */
  async function whole(output: unknown): Promise<unknown> {
    if (!isIterable(output)) return output
    streams = true
    let last: unknown
    for await (last of output);
    return last
  }

  async function begun(input: unknown, options: Options) {
    transcriptOf(watch).runs(options?.toolCallId)
    const call = await watch.called(name, input)
    if (call.refusal) throw call.refusal
    return call
  }

  const execute = (input: unknown, options: Options) => (streams ? streamed(input, options) : complete(input, options))
  return Object.defineProperties(Object.create(Object.getPrototypeOf(tool)), {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: execute, enumerable: true, configurable: true, writable: true },
  })
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value
}
