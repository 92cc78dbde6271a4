import type { Migrations } from '@onward/runtime'
import { first } from './2026-11-21-first.ts'

export const migrations: Migrations = { '2026-11-21-first': first }
