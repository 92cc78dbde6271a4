import type { Migrations } from '@onward/runtime'
import { firstSchema } from './20261122T000000Z-first-schema.ts'

export const migrations: Migrations = { '20261122T000000Z-first-schema': firstSchema }
