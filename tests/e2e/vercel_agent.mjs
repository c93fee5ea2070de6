// An agent made with the Vercel AI SDK whose model asks for the same search four times. Its spans go to OTLP.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
provider.register();

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
let asked = 0;
const model = new MockLanguageModelV3({
  modelId: 'scripted',
  doGenerate: async () => {
    asked += 1;
    const goesOn = asked <= 4;
    const call = { type: 'tool-call', toolCallId: `c${asked}`, toolName: 'search', input: '{"query":"login"}' };
    return {
      content: goesOn ? [call] : [{ type: 'text', text: 'I give up.' }],
      finishReason: { unified: goesOn ? 'tool-calls' : 'stop', raw: undefined },
      usage,
      warnings: [],
    };
  },
});
const search = tool({
  description: 'search the project',
  inputSchema: z.object({ query: z.string() }),
  execute: async () => 'nothing found',
});

const { text } = await generateText({
  model,
  tools: { search },
  stopWhen: stepCountIs(6),
  prompt: 'find the login',
  experimental_telemetry: { isEnabled: true },
});
console.log(text);
await provider.shutdown();
