/** A model that is watched: it is told what Headway has to say, and a stopped run gets our last words for an answer. */

import { type Model, type Part, type Request, type Result, lastWords, usageOf } from "./spec.js"
import { RunStopped } from "./stopped.js"
import { Transcript, textOf } from "./transcript.js"
import type { Watch } from "./watch.js"

const transcripts = new WeakMap<Watch, Transcript>()

/** What is known from the requests of a conversation. */
export function transcriptOf(watch: Watch): Transcript {
  const known = transcripts.get(watch) ?? new Transcript()
  transcripts.set(watch, known)
  return known
}

/** The same model, watched. Its answers are passed on unchanged. */
export function watchedModel<M extends object>(model: M, watch: Watch): M {
  const own = { doGenerate: generate, doStream: stream }
  return new Proxy(model, {
    get(target, name) {
      const ask = own[name as keyof typeof own]
      if (ask) return (request: Request) => ask(target as unknown as Model, request, watch)
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

async function generate(model: Model, request: Request, watch: Watch): Promise<Result> {
  const last = await before(model, request, watch)
  if (last) return last
  const result = await tell(request, watch, (told) => model.doGenerate(told))
  for (const part of result.content ?? []) transcriptOf(watch).asks(part)
  await note(result.content ?? [], result.usage, watch)
  return result
}

async function stream(model: Model, request: Request, watch: Watch): Promise<Result> {
  const last = await before(model, request, watch)
  if (last) return last
  const result = await tell(request, watch, (told) => model.doStream(told))
  return { ...result, stream: result.stream!.pipeThrough(listening(watch)) }
}

/** Note what is new in a request. If the run is stopped, the model is not asked: these are our last words instead. */
async function before(model: Model, request: Request, watch: Watch): Promise<Result | undefined> {
  watch.model ||= model.modelId
  await harmless(() => transcriptOf(watch).read(request.prompt, watch), watch)
  if (!watch.stopped) return undefined
  if (request.responseFormat?.type === "json") throw new RunStopped(watch.stopped) // our words are not JSON
  return lastWords(model.specificationVersion, watch.stopped)
}

/** Ask the model, with what it should be told. */
async function tell(request: Request, watch: Watch, ask: (told: Request) => PromiseLike<Result>): Promise<Result> {
  const advice = watch.beforeModel()
  try {
    return await ask(advice ? withAdvice(request, advice) : request)
  } catch (error) {
    watch.notTold(advice)
    throw error
  }
}

function withAdvice(request: Request, advice: string): Request {
  const said = { role: "user", content: [{ type: "text", text: advice }] }
  return { ...request, prompt: [...request.prompt, said] }
}

/** Pass everything on, and note what was said and used before the end is passed on. */
function listening(watch: Watch): TransformStream<Part, Part> {
  const content: Part[] = []
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === "text-delta") content.push({ type: "text", text: part.delta ?? "" })
      if (part.type === "tool-result") content.push(part)
      transcriptOf(watch).asks(part) // before it is passed on, because then it runs
      if (part.type === "finish") await note(content, part.usage, watch)
      controller.enqueue(part)
    },
  })
}

function note(content: Part[], usage: Part["usage"], watch: Watch): Promise<void> {
  return harmless(async () => {
    await watch.answered(textOf(content), usageOf(usage))
    await transcriptOf(watch).answered(content, watch)
  }, watch)
}

/** Our own faults end here. */
async function harmless(work: () => Promise<void>, watch: Watch): Promise<void> {
  try {
    await work()
  } catch (error) {
    watch.warn(error)
  }
}
