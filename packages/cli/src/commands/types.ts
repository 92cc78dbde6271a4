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
  const members = functions.map(
    ({ name, description, parameters }) => `${commentOf(description, 4)}    ${JSON.stringify(name)}: ${typeOf(parameters, 4)}\n`,
  )
  return `// Made by onward types.\nimport type { FileInput } from '@onward/client'\n\ndeclare module '@onward/client' {\n  interface FunctionArguments {\n${members.join('')}  }\n}\n`
}

/** Returns a comment with a description, for editors to show. */
function commentOf(description: unknown, indent: number): string {
  if (typeof description !== 'string' || description === '') return ''
  return `${' '.repeat(indent)}/** ${description.replace(/\s+/g, ' ').replaceAll('*/', '*\u200b/')} */\n`
}

/** Returns the TypeScript type of the values that a JSON Schema accepts, as far as TypeScript can express it, for a line with this indent. */
function typeOf(schema: Schema, indent: number): string {
  const of = (each: Schema) => typeOf(each, indent)
  const { type, enum: values, anyOf, oneOf, items, properties, required = [], additionalProperties } = schema
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const forms = anyOf ?? oneOf
  if (Array.isArray(forms)) return union(forms.map(of))
  if (Array.isArray(type)) return union(type.map((each) => of({ ...schema, type: each })))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${of((items ?? {}) as Schema)})[]`
    case 'object': {
      if (isFile(properties)) return 'FileInput'
      const named = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>)
      // Named properties must fit an index signature, so it is only written where there are none.
      if (named.length === 0) {
        return additionalProperties === false ? '{}' : `{ readonly [name: string]: ${freeType(additionalProperties, indent)} }`
      }
      const lines = named.map(([name, each]) => {
        const sign = (required as string[]).includes(name) ? '' : '?'
        const inner = indent + 2
        return `${commentOf(each.description, inner)}${' '.repeat(inner)}readonly ${JSON.stringify(name)}${sign}: ${typeOf(each, inner)}\n`
      })
      return `{\n${lines.join('')}${' '.repeat(indent)}}`
    }
    default:
      return 'unknown'
  }
}

/** Returns whether these are the properties of a file parameter. */
function isFile(properties: unknown): boolean {
  return ['url', 'base64', 'name', 'content_type'].every((name) => name in Object(properties))
}

function freeType(schema: unknown, indent: number): string {
  return typeof schema === 'object' && schema !== null ? typeOf(schema as Schema, indent) : 'unknown'
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}
