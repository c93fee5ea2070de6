/** The mock models of each version of the AI SDK, playing a script. */

import * as ai5 from "ai-5"
import { MockLanguageModelV2 } from "ai-5/test"
import * as ai6 from "ai-6"
import { MockLanguageModelV3 } from "ai-6/test"
import * as ai7 from "ai"
import { MockLanguageModelV4 } from "ai/test"

/** One answer: calls, or words. */
export type Turn = { tool: string; args: object }[] | string

export const VERSIONS: { name: string; ai: any; Mock: any; spec: string }[] = [
  { name: "ai 5", ai: ai5, Mock: MockLanguageModelV2, spec: "v2" },
  { name: "ai 6", ai: ai6, Mock: MockLanguageModelV3, spec: "v3" },
  { name: "ai 7", ai: ai7, Mock: MockLanguageModelV4, spec: "v4" },
]

export const TOKENS = [100, 10] as const

/** A model that plays a script; `prompts` are the inputs it got. */
export function scripted({ Mock, spec }: { Mock: any; spec: string }, script: Turn[]): { model: any; prompts: any[][] } {
  const prompts: any[][] = []
  const next = (request: any) => {
    prompts.push(request.prompt)
    return answer(script[prompts.length - 1] ?? "Done.", prompts.length, spec)
  }
  const doGenerate = async (request: any) => next(request)
  const doStream = async (request: any) => ({ stream: streamed(next(request)) })
  return { model: new Mock({ modelId: "scripted", doGenerate, doStream }), prompts }
}

function answer(turn: Turn, number: number, spec: string) {
  const isCall = typeof turn !== "string"
  const reason = isCall ? "tool-calls" : "stop"
  const calls = isCall ? turn.map(({ tool, args }, at) => call(tool, args, `${number}-${at}`)) : []
  const [total, wrote] = TOKENS
  return {
    content: isCall ? [{ type: "text", text: "I look." }, ...calls] : [{ type: "text", text: turn }],
    finishReason: spec === "v2" ? reason : { unified: reason, raw: reason },
    usage:
      spec === "v2"
        ? { inputTokens: total, outputTokens: wrote, totalTokens: total + wrote }
        : { inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: wrote, text: wrote, reasoning: 0 } },
    response: { id: `answer-${number}`, timestamp: new Date(0), modelId: "scripted" },
    warnings: [],
  }
}

function call(toolName: string, args: object, toolCallId: string) {
  return { type: "tool-call", toolCallId, toolName, input: JSON.stringify(args) }
}

function streamed({ content, finishReason, usage, response }: ReturnType<typeof answer>): ReadableStream {
  const parts: object[] = [{ type: "stream-start", warnings: [] }, { type: "response-metadata", ...response }]
  for (const part of content) {
    if (part.type !== "text") parts.push(part)
    else parts.push({ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: (part as any).text }, { type: "text-end", id: "1" })
  }
  parts.push({ type: "finish", finishReason, usage })
  return new ReadableStream({
    async pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

/** What Headway said in a run: told in the inputs of the model, and in place of results. */
export function said(prompts: any[][]): { told: string | null; refused: (string | null)[] }[] {
  return prompts.map((prompt, at) => ({ told: toldIn(prompt), refused: prompts[at + 1] ? refusedIn(prompts[at + 1]!) : [] }))
}

function toldIn(prompt: any[]): string | null {
  const text = prompt.at(-1).role === "user" ? prompt.at(-1).content.at(-1).text : ""
  return text.startsWith("[headway]") ? text : null
}

function refusedIn(prompt: any[]): (string | null)[] {
  const results = prompt.filter((message) => message.role === "tool").at(-1)?.content ?? []
  return results.map(({ output }: any) => (/\[headway\]|Stopped by Headway/.test(String(output.value)) ? output.value : null))
}

/** What a run adds to a conversation. */
export function messagesOf(result: any): any[] {
  return result.responseMessages ?? result.response.messages // since version 7, the response is the last one only
}
