import { randomBytes } from 'node:crypto'
import { createWrappedKey } from '@onward/runtime/key-providers'
import { type Command, InvalidArgumentError } from 'commander'
import { addExamples } from '../examples.ts'
import { hint, type Terminal, UsageError } from '../terminal.ts'

type Options = { readonly vault?: true; readonly awsKms?: string }

export function addSealingKeyCommand(sealingKey: Command, terminal: Terminal): void {
  sealingKey
    .argument('<id>', 'id of the key, such as k2; not one that SEALING_KEYS has or had', parseKeyId)
    .option('--vault', 'wrapped by Vault: with VAULT_ADDR, VAULT_TOKEN and VAULT_TRANSIT_KEY of the environment')
    .option('--aws-kms <key>', 'wrapped by this key of AWS KMS: its id, its ARN, or an alias such as alias/onward')
    .action(async (id: string, { vault, awsKms }: Options) => {
      if (vault && awsKms !== undefined) throw new UsageError('give --vault or --aws-kms, not both')
      const wrapped = vault || awsKms !== undefined
      const key = wrapped ? await createWrappedKey(id, terminal.env, awsKms) : `${id}:${randomBytes(32).toString('base64')}`
      terminal.stdout.write(`${key}\n`)
      hint(terminal, wrapped ? 'only the provider can unwrap this key' : 'this key is not wrapped: keep it secret')
    })
  addExamples(sealingKey, ['onward sealing-key k2', 'onward sealing-key k2 --vault', 'onward sealing-key k2 --aws-kms alias/onward'])
}

function parseKeyId(id: string): string {
  if (!/^[\w-]{1,32}$/.test(id)) throw new InvalidArgumentError('Use 1 to 32 letters, digits, hyphens and underscores.')
  return id
}
