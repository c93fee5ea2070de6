/** The Vercel AI SDK, versions 5 to 7: `generateText(headway.watched({ model, tools, prompt }, "thread-7"))`. */

import { Headway as Base } from "./headway.js"
import { watchedModel } from "./model.js"
import { watchedTools } from "./tool.js"
import type { Watch } from "./watch.js"

export class Headway extends Base {
  protected override readonly program = "ai-sdk"

  /** The settings of a run or an agent, with its model and its tools watched, as part of a conversation. */
  watched<S extends { model: unknown; tools?: unknown }>(settings: S, conversation?: string | Watch, agent?: string): S {
    const watch = typeof conversation === "object" ? conversation : this.conversation(conversation, agent)
    const { model, tools } = settings
    if (typeof model !== "object" || model === null)
      throw new TypeError("model: give the model itself, as in gateway(name) of the AI SDK, and not its name")
    return { ...settings, model: watchedModel(model, watch), ...(tools ? { tools: watchedTools(tools, watch) } : {}) }
  }
}
