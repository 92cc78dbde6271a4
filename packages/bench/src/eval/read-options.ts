import { parseArgs } from 'node:util'

export type Options = {
  readonly folders: readonly string[]
  readonly builtIn: boolean
  readonly json: boolean
  readonly leaveOneOut: boolean
  readonly help: boolean
}

/** Throws for what can't be used. `--set a b` and `--set a --set b` are the same. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true, default: [] },
      'built-in': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'leave-one-out': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (positionals.length > 0 && values.set.length === 0) throw new Error(`${positionals[0]}: folders come after --set`)
  const folders = [...values.set, ...positionals]
  if (values['leave-one-out'] && folders.length === 0) throw new Error('--leave-one-out needs other sets to train on: give --set')
  return {
    folders,
    builtIn: values['built-in'] || folders.length === 0,
    json: values.json,
    leaveOneOut: values['leave-one-out'],
    help: values.help,
  }
}
