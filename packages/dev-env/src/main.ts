import { fileURLToPath } from 'node:url'
import { run } from './start/run.ts'

process.exitCode = await run(fileURLToPath(new URL('../../..', import.meta.url)), process)
