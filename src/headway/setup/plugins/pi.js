// What the plugin does in pi: the events of an extension become events of the hook, and its answers take effect.

const textOf = (content) => content.filter((part) => part.type === "text").map((part) => part.text).join("\n")
const reminder = (text) => ({ type: "text", text: `<system-reminder>${text}</system-reminder>` })

export default function (pi) {
  const known = new Set() // calls whose result was told, or that were refused
  const pending = new Map() // arguments of the calls under way

  const heard = async (name, ctx, fields = {}) => {
    const session = { sessionID: ctx.sessionManager.getSessionId(), directory: ctx.cwd, model: ctx.model?.id }
    const answer = await ask({ pi_event: name, ...session, ...fields })
    if (answer.stop) ctx.abort()
    return answer
  }

  pi.on("session_start", async (_, ctx) => void (await heard("session_start", ctx)))
  pi.on("session_compact", async (_, ctx) => void (await heard("session_compact", ctx)))
  pi.on("session_shutdown", async (_, ctx) => void (await heard("session_shutdown", ctx)))
  pi.on("before_agent_start", async ({ prompt }, ctx) => void (await heard("before_agent_start", ctx, { prompt })))

  pi.on("tool_call", async ({ toolName, toolCallId, input }, ctx) => {
    const { deny, stop } = await heard("tool_call", ctx, { tool: toolName, callID: toolCallId, args: input })
    if (!deny && !stop) return
    known.add(toolCallId)
    return { block: true, reason: deny ?? stop }
  })

  pi.on("tool_result", async ({ toolName, toolCallId, input, content, isError }, ctx) => {
    if (known.has(toolCallId)) return
    known.add(toolCallId)
    const result = { output: textOf(content), failed: isError }
    const { tell } = await heard("tool_result", ctx, { tool: toolName, callID: toolCallId, args: input, output: result })
    if (tell) return { content: [...content, reminder(tell)] }
  })

  // A call with invalid arguments, or of a tool that does not exist, has no result event.
  pi.on("tool_execution_start", ({ toolCallId, args }) => void pending.set(toolCallId, args))
  pi.on("tool_execution_end", async ({ toolName, toolCallId, result, isError }, ctx) => {
    const args = pending.get(toolCallId)
    pending.delete(toolCallId)
    if (known.delete(toolCallId)) return
    const failed = { output: textOf(result.content), failed: isError }
    const { tell } = await heard("tool_result", ctx, { tool: toolName, callID: toolCallId, args, output: failed })
    if (tell) pi.sendMessage({ customType: "headway", content: tell, display: true }, { deliverAs: "steer" })
  })

  pi.on("agent_before_settle", async ({ outcome, context }, ctx) => {
    if (outcome !== "completed") return
    const last = context.contextMessages.findLast(({ role }) => role === "assistant")
    const { go_on } = await heard("agent_before_settle", ctx, { message: last ? textOf(last.content) : "" })
    if (!go_on) return
    return { continue: true, entries: [{ type: "custom_message", customType: "headway", content: go_on, display: true }] }
  })
}
