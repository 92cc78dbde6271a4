import type { FunctionItem } from '@onward/client'
import type { Command } from 'commander'
import { parseUserId } from '../arguments.ts'
import { userOf } from '../clients.ts'
import { addExamples } from '../examples.ts'
import { type GlobalOptions, showJson, type Terminal, UsageError } from '../terminal.ts'

type Schema = Readonly<Record<string, unknown>>

export function addTypesCommand(types: Command, terminal: Terminal): void {
  types
    .description(
      'Print a TypeScript file that declares the arguments of functions, so that the compiler checks calls of @onward/client. ' +
        'Run it again when an app has changed.',
    )
    .argument('[functions...]', 'names of functions')
    .option('--app <app>', 'all functions of this app')
    .option('--user <user_id>', 'User-ID of the user', parseUserId)
    .action(async (names: string[], { app }: { app?: string }, command: Command) => {
      const asked = command.optsWithGlobals<GlobalOptions & { user?: string }>()
      if ((names.length === 0) === (app === undefined)) throw new UsageError('give either names of functions or --app')
      const { functions } = await userOf(terminal, asked)
      const found =
        app === undefined ? await Promise.all(names.map((name) => functions.get(name))) : await functions.list({ app }).toArray()
      const declarations = declare(found)
      if (asked.json) showJson(terminal, { declarations })
      else terminal.stdout.write(declarations)
    })
  addExamples(types, [
    'onward types slack-post-message --user joe@example.com > src/onward.d.ts',
    'onward types --app hubspot --user joe@example.com > src/onward.d.ts',
  ])
}

function declare(functions: readonly FunctionItem[]): string {
  const members = functions.map(({ name, parameters }) => `    ${JSON.stringify(name)}: ${typeOf(parameters)}\n`)
  return `// Made by onward types.\nimport '@onward/client'\n\ndeclare module '@onward/client' {\n  interface FunctionArguments {\n${members.join('')}  }\n}\n`
}

/** Returns the TypeScript type of the values that a JSON Schema accepts, as far as TypeScript can express it. */
function typeOf(schema: Schema): string {
  const { type, enum: values, anyOf, oneOf, items, properties, required = [], additionalProperties } = schema
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const forms = anyOf ?? oneOf
  if (Array.isArray(forms)) return union(forms.map(typeOf))
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeOf((items ?? {}) as Schema)})[]`
    case 'object': {
      const free = additionalProperties === false ? [] : [`readonly [name: string]: ${freeType(additionalProperties)}`]
      const named = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>).map(
        ([name, each]) => `readonly ${JSON.stringify(name)}${(required as string[]).includes(name) ? '' : '?'}: ${typeOf(each)}`,
      )
      // Named properties must fit an index signature, so it is only written where there are none.
      return `{ ${(named.length > 0 ? named : free).join('; ')} }`
    }
    default:
      return 'unknown'
  }
}

function freeType(schema: unknown): string {
  return typeof schema === 'object' && schema !== null ? typeOf(schema as Schema) : 'unknown'
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}
