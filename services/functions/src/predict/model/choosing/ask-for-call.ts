import type { ArgumentInput } from '@onward/predict'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Callable } from '../../../catalog/functions.ts'
import type { ModelServer } from '../server/model-server.ts'
import { type Judged, judgeArguments } from './judge-arguments.ts'
import { messagesFor } from './messages.ts'
import { type Offer, offerTools } from './offer-tools.ts'
import { readToolCall, type ToolCall } from './read-tool-call.ts'

/** What a model calls, with those of its arguments that may stand; `none`: nothing fits; `unknown`: it named what it was not offered. */
export type Choice = Called | 'none' | 'unknown'

type Called = {
  readonly callable: Callable
  readonly arguments: Judged['valid']
  /** The arguments after the wrong ones were asked for once more, where there are any. Throws a ModelError. */
  mended(): Promise<Judged['valid']>
}

type Ask = {
  readonly input: ArgumentInput
  /** `choose`: the model may call nothing. `fill`: it calls the first function. */
  readonly purpose: 'choose' | 'fill'
  readonly signal: AbortSignal
}

/** One request with these functions as tools. Throws a ModelError when it fails. */
export async function askForCall(
  server: Pick<ModelServer, 'chat'>,
  callables: readonly Callable[],
  { input, purpose, signal }: Ask,
): Promise<Choice> {
  const offer = offerTools(callables)
  const messages = messagesFor(input)
  const [first] = offer.tools
  const choice = purpose === 'fill' && first !== undefined ? first : 'auto'
  const call = await ask(server, purpose, { offer, messages, choice, signal })
  if (typeof call === 'string') return call
  const callable = offer.find(call.name) as Callable
  const { valid, problems } = judgeArguments(callable, call.arguments, input)
  return {
    callable,
    arguments: valid,
    async mended() {
      if (problems.length === 0) return valid
      const again = await repair(server, { offer, messages, call, problems, signal })
      return again === undefined ? valid : { ...valid, ...judgeArguments(callable, again, input).valid }
    },
  }
}

type Question = {
  readonly offer: Offer
  readonly messages: ChatCompletionMessageParam[]
  readonly choice: Offer['tools'][number] | 'auto'
  readonly signal: AbortSignal
}

function ask(
  server: Pick<ModelServer, 'chat'>,
  purpose: 'choose' | 'fill' | 'repair',
  { offer, messages, choice, signal }: Question,
): Promise<ToolCall | 'none' | 'unknown'> {
  const forced = choice === 'auto' ? choice : ({ type: 'function', function: { name: choice.function.name } } as const)
  // Nothing else: servers differ in which further settings they take.
  const request = { messages, tools: offer.tools, tool_choice: forced }
  return server.chat(purpose, request, (message) => readToolCall(message, (name) => offer.find(name) !== undefined), signal)
}

type Repair = Omit<Question, 'choice'> & { readonly call: ToolCall; readonly problems: readonly string[] }

/** The arguments as the model writes them when told what is wrong; undefined when it does not call the same tool again. */
async function repair(server: Pick<ModelServer, 'chat'>, { offer, messages, call, problems, signal }: Repair): Promise<string | undefined> {
  const told: ChatCompletionMessageParam[] = [
    ...messages,
    {
      role: 'assistant',
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }],
    },
    {
      role: 'tool',
      tool_call_id: call.id,
      content: `Not called. ${problems.slice(0, 20).join('\n')}\nCall it again with all arguments, these put right or left out.`,
    },
  ]
  const tool = offer.tools.find((each) => each.function.name === call.name) as Offer['tools'][number]
  const again = await ask(server, 'repair', { offer, messages: told, choice: tool, signal })
  return typeof again === 'string' || again.name !== call.name ? undefined : again.arguments
}
