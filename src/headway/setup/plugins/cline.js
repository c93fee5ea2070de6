// What the plugin does in Cline: the hooks of a session become events of the hook, and its answers take effect.

const lastUserText = ({ messages }) => {
  const message = messages.findLast(({ role }) => role === "user")
  return (message?.content ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
}

let directory = ""

async function heard(name, snapshot, fields = {}) {
  const { conversationId, runId, agentId } = snapshot
  const sessionID = conversationId ?? runId ?? agentId
  const model = snapshot.messages?.findLast(({ modelInfo }) => modelInfo)?.modelInfo.id
  return ask({ cline_event: name, sessionID, directory, model, ...fields })
}

export default {
  name: "headway",
  manifest: { capabilities: ["hooks"] },

  setup(_, context) {
    directory = context?.workspaceInfo?.rootPath ?? process.cwd()
  },

  hooks: {
    async beforeRun({ snapshot }) {
      await heard("beforeRun", snapshot, { prompt: lastUserText(snapshot) })
    },

    async beforeTool({ snapshot, toolCall, input }) {
      const call = { tool: toolCall.toolName, callID: toolCall.toolCallId, args: input }
      const { deny, stop } = await heard("beforeTool", snapshot, call)
      if (stop) return { stop: true, reason: stop }
      if (deny) return { skip: true, reason: deny }
    },

    async afterTool({ snapshot, toolCall, input, result }) {
      const call = { tool: toolCall.toolName, callID: toolCall.toolCallId, args: input }
      const { tell, stop } = await heard("afterTool", snapshot, { ...call, output: result })
      if (stop) return { stop: true, reason: stop }
      if (tell) return { appendContext: tell }
    },

    async afterRun({ snapshot, result }) {
      await heard("afterRun", snapshot, { message: result.outputText })
    },
  },
}
