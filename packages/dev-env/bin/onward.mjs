#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// Runs the onward command from the sources. It is not a script of package.json, because pnpm prints a banner before a script's output.
const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const options = ['--conditions=source', '--import', import.meta.resolve('tsx'), main, ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, options, { stdio: 'inherit' }).status ?? 1
