import type { Migrations } from '@onward/runtime'
import { up as firstSchema } from './20261122T000000Z-first-schema.ts'

export const migrations: Migrations = { '20261122T000000Z-first-schema': { up: firstSchema } }
