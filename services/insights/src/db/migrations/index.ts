import type { Migrations } from '@onward/runtime'
import { up } from './20260101T000000Z-start.ts'

export const migrations: Migrations = { '20260101T000000Z-start': { up } }
