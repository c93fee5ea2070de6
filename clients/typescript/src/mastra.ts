/** Mastra: `new Agent({ …, inputProcessors: [new Headway()] })`. A thread of its memory is a conversation. */

import { Headway as Base, type Options } from "./headway.js"
import { watchedModel } from "./model.js"
import { watchedTools } from "./tool.js"
import type { Watch } from "./watch.js"

interface Step {
  model: unknown
  tools?: Record<string, unknown>
  /** The same object in all steps of a run. */
  messageList: object
  requestContext?: { get(name: string): unknown }
}

export class Headway extends Base {
  readonly id = "headway"
  protected override readonly program = "mastra"
  readonly #agent: string
  readonly #runs = new WeakMap<object, Watch>()

  /** `agent` tells the agents of one conversation apart, if several have a Headway. */
  constructor({ agent = "", ...options }: Options & { agent?: string } = {}) {
    super(options)
    this.#agent = agent
  }

  /** Before each request to the model: the same model and tools, watched. */
  async processInputStep({ model, tools = {}, messageList, requestContext }: Step): Promise<any> {
    try {
      const watch = this.#runs.get(messageList) ?? this.conversation(threadOf(requestContext), this.#agent)
      this.#runs.set(messageList, watch)
      return { model: watchedModel(model as object, watch), tools: watchedTools(tools, watch) }
    } catch (error) {
      this.warn(error)
      return {}
    }
  }
}

function threadOf(context: Step["requestContext"]): string | undefined {
  const memory = context?.get("MastraMemory") as { thread?: { id?: string } } | undefined
  const thread = memory?.thread?.id ?? context?.get("mastra__threadId")
  return typeof thread === "string" ? thread : undefined
}
