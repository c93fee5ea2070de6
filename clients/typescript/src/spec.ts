/** The parts of the AI SDK's model specifications (v2 to v4) that Headway reads. Mastra uses the same models. */

import type { Stop } from "./stopped.js"
import type { Usage } from "./watch.js"

export interface Message {
  role: string
  content: string | Part[]
}

export interface Part {
  type: string
  text?: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  result?: unknown
  isError?: boolean
  preliminary?: boolean
  usage?: Spent
}

export interface Request {
  prompt: Message[]
  responseFormat?: { type: string }
}

export interface Result {
  content?: Part[]
  usage?: Spent
  stream?: ReadableStream<Part>
}

export interface Model {
  specificationVersion: string
  modelId: string
  doGenerate(request: Request): PromiseLike<Result>
  doStream(request: Request): PromiseLike<Result>
}

type Count = number | undefined
type Spent = {
  inputTokens?: Count | { total?: Count; cacheRead?: Count; cacheWrite?: Count }
  outputTokens?: Count | { total?: Count }
  cachedInputTokens?: Count
}

/** What a request has used: v2 has numbers where later versions have objects. */
export function usageOf({ inputTokens: read, outputTokens: wrote, cachedInputTokens }: Spent = {}): Usage {
  const input = typeof read === "object" ? read : { total: read, cacheRead: cachedInputTokens, cacheWrite: undefined }
  return {
    tokensIn: input?.total,
    tokensOut: typeof wrote === "object" ? wrote?.total : wrote,
    tokensCached: input?.cacheRead,
    tokensWritten: input?.cacheWrite,
  }
}

/** Our last words as an answer of the model, complete and streamed: the loop of every framework ends with it. */
export function lastWords(version: string, { reason, message }: Stop): Result {
  const isOld = version === "v2"
  const usage = isOld ? { inputTokens: 0, outputTokens: 0, totalTokens: 0 } : { inputTokens: NONE, outputTokens: NONE }
  const finishReason = isOld ? "stop" : { unified: "stop", raw: "headway" }
  const end = { finishReason, usage, providerMetadata: { headway: { reason } } }
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "headway" },
    { type: "text-delta", id: "headway", delta: message },
    { type: "text-end", id: "headway" },
    { type: "finish", ...end },
  ]
  const stream = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  return { content: [{ type: "text", text: message }], warnings: [], stream, ...end } as Result
}

const NONE = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 }
