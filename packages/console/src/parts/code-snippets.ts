import { ExactNumber, writeJson } from '@onward/json'

export type SnippetLanguage = 'curl' | 'typescript' | 'python'

/** Who sends a request. `url` is the public address of the functions service. */
type Sender = { readonly url: string; readonly appKey: string; readonly userId: string }

/** A call of a function. `args` are the function's arguments. */
type SnippetCall = Sender & {
  readonly fn: string
  readonly args: Readonly<Record<string, unknown>>
  /** The id of a connected account; without it, the call uses the default one. */
  readonly accountId?: number | undefined
  /** The paths of the output to return; empty for all of it. */
  readonly fields?: readonly string[]
}

/** The environment variable from which every snippet reads the secret, which is never part of the text. */
export const SECRET_VARIABLE = 'ONWARD_APP_SECRET'

/** Returns a complete program that makes a call. */
export function snippetOf(language: SnippetLanguage, call: SnippetCall): string {
  switch (language) {
    case 'curl':
      return curl(call)
    case 'typescript':
      return typescript(call)
    case 'python':
      return python(call)
  }
}

/** Returns a complete program that lists the functions of an app. It succeeds without a connected account. */
export function listingOf(language: SnippetLanguage, { app, ...sender }: Sender & { readonly app: string }): string {
  switch (language) {
    case 'curl':
      return curlOf(sender, `/functions/list?app=${encodeURIComponent(app)}`, {})
    case 'typescript':
      return `${typescriptHead(sender)}
for await (const { name, title } of user.functions.list({ app: ${script(app)} })) console.log(name, title)
`
    case 'python':
      return `${pythonHead(sender)}
for fn in user.functions.list(app=${pythonValue(app)}):
    print(fn["name"], fn["title"])
`
  }
}

function curl({ fn, args, accountId, fields = [], ...sender }: SnippetCall): string {
  const query = accountId === undefined ? '' : `?connected_account_id=${accountId}`
  const body = fields.length === 0 ? args : { ...args, _fields: fields }
  return curlOf(sender, `/functions/${encodeURIComponent(fn)}/call${query}`, body)
}

function curlOf({ url, appKey, userId }: Sender, path: string, body: unknown): string {
  return `# export ${SECRET_VARIABLE}=… first
USER_ID=${shell(userId)}
HASH=$(printf '%s' "$USER_ID" | openssl dgst -sha256 -hmac "$${SECRET_VARIABLE}" -hex | sed 's/.* //')

curl ${shell(`${url}${path}`)} \\
  -H ${shell(`App-Key: ${appKey}`)} -H "User-ID: $USER_ID" -H "Hash: $HASH" \\
  -H 'Content-Type: application/json' \\
  -d ${shell(writeJson(body, 2))}
`
}

function typescript({ fn, args, accountId, fields = [], ...sender }: SnippetCall): string {
  const given = [
    ...(accountId === undefined ? [] : [`connectedAccountId: ${accountId}`]),
    ...(fields.length === 0 ? [] : [`fields: [${fields.map(script).join(', ')}]`]),
  ]
  const options = given.length === 0 ? '' : `, { ${given.join(', ')} }`
  return `${typescriptHead(sender)}
const { ok, networkCode, output } = await user.functions.call(${script(fn)}, ${object(args)}${options})
console.log(ok, networkCode, output)
`
}

function typescriptHead({ url, appKey, userId }: Sender): string {
  return `import { Onward } from '@onward/client'

// The secret is read from ${SECRET_VARIABLE}.
const onward = new Onward({ baseUrl: ${script(url)}, appKey: ${script(appKey)} })
const user = onward.forUser(${script(userId)})
`
}

function python({ fn, args, accountId, fields = [], ...sender }: SnippetCall): string {
  const account = accountId === undefined ? '' : `, connected_account_id=${accountId}`
  const kept = fields.length === 0 ? '' : `, fields=[${fields.map((path) => pythonValue(path)).join(', ')}]`
  return `${pythonHead(sender)}
result = user.functions.call(${pythonValue(fn)}, ${pythonValue(args)}${account}${kept})
print(result.ok, result.network_code, result.output)
`
}

function pythonHead({ url, appKey, userId }: Sender): string {
  return `from onward_client import Onward

# The secret is read from ${SECRET_VARIABLE}.
onward = Onward(base_url=${pythonValue(url)}, app_key=${pythonValue(appKey)})
user = onward.for_user(${pythonValue(userId)})
`
}

/** A word of a shell, whatever it contains. */
function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function script(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A value in JavaScript, whose keys need no quotes where they are names. */
function object(value: unknown, indent = ''): string {
  if (typeof value === 'string') return script(value)
  if (value instanceof ExactNumber) return largeNumber(value, (digits) => `${digits}n`, script)
  const deeper = `${indent}  `
  const lines = (parts: readonly string[], open: string, close: string) =>
    parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`
  if (Array.isArray(value)) {
    return lines(
      value.map((one) => object(one, deeper)),
      '[',
      ']',
    )
  }
  if (typeof value === 'object' && value !== null) {
    return lines(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${keyOf(key)}: ${object(one, deeper)}`),
      '{',
      '}',
    )
  }
  return String(value)
}

function keyOf(key: string): string {
  // In a literal, this name alone would set the prototype.
  if (key === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : script(key)
}

/** A number that a JavaScript number cannot hold: a large integer, or its digits as text, which Onward takes for a number. */
function largeNumber(exact: ExactNumber, integer: (digits: string) => string, text: (digits: string) => string): string {
  if (exact.asNumber() !== undefined) return exact.text
  return /^-?\d+$/.test(exact.text) ? integer(exact.text) : text(exact.text)
}

/** A value in Python. */
function pythonValue(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  // The escapes of JSON mean the same in Python, except for surrogates: characters beyond the first plane stand for themselves.
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof ExactNumber) return largeNumber(value, String, JSON.stringify)
  if (typeof value !== 'object') return String(value)
  const deeper = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map((one) => pythonValue(one, deeper))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${pythonValue(one, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`
}
