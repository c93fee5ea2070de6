/** What a request and an answer of the model tell: words of the user, and calls that no tool of this program runs. */

import type { Message, Part } from "./spec.js"
import type { Call, Watch } from "./watch.js"

const MOST_OPEN = 256

export class Transcript {
  readonly #open = new Map<string, Part>()
  #asked = ""

  /** Note what is new in the input of the model. A request that is sent again is not a new turn. */
  async read(prompt: Message[], watch: Watch): Promise<void> {
    const last = prompt.at(-1)
    const asked = last?.role === "user" ? `${prompt.length} ${JSON.stringify(last.content)}` : ""
    for (const part of newResults(prompt)) await this.#returned(part, watch)
    if (last && asked && asked !== this.#asked) await watch.userSpoke(textOf(last.content))
    this.#asked = asked
  }

  /** Note the results in an answer: they come from tools of the model's provider. */
  async answered(content: Part[], watch: Watch): Promise<void> {
    for (const part of content.filter((one) => one.type === "tool-result" && !one.preliminary)) {
      await this.#returned({ ...part, output: part.result ?? part.output }, watch)
    }
  }

  /** A tool of this program runs this call. */
  runs(toolCallId: string | undefined): void {
    if (toolCallId) this.#open.delete(toolCallId)
  }

  /** The model asks for a call, and nobody has run it yet. */
  asks(part: Part): void {
    if (part.type !== "tool-call" || !part.toolCallId) return
    this.#open.set(part.toolCallId, part)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MOST_OPEN && oldest) this.#open.delete(oldest)
  }

  async #returned(part: Part, watch: Watch): Promise<void> {
    const asked = this.#open.get(part.toolCallId ?? "")
    if (!asked) return
    this.runs(part.toolCallId)
    const call: Call = await watch.called(asked.toolName ?? "", argumentsOf(asked.input))
    await call.returned(...resultOf(part))
  }
}

/** Results behind the last answer of the model. */
function newResults(prompt: Message[]): Part[] {
  const behind = prompt.slice(prompt.findLastIndex((message) => message.role === "assistant") + 1)
  const parts = behind.filter((message) => message.role === "tool").flatMap(({ content }) => content as Part[])
  return parts.filter((part) => part.type === "tool-result")
}

export function textOf(content: string | Part[]): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n")
}

function argumentsOf(input: unknown): unknown {
  try {
    return typeof input === "string" ? JSON.parse(input) : input
  } catch {
    return { input }
  }
}

/** The output of a tool, and whether it failed. */
function resultOf({ output, isError }: Part): [unknown, boolean | undefined] {
  const { type, value } = (output ?? {}) as { type?: string; value?: unknown }
  const failed = isError || type?.startsWith("error") || type === "execution-denied" ? true : undefined
  return [type && value !== undefined ? value : output, failed]
}
