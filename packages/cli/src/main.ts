#!/usr/bin/env node
import { runCommand } from './run-command.ts'

const { argv, env, stdin, stdout, stderr } = process

// A reader such as `head` closes the pipe before the output ends.
stdout.on('error', (err: NodeJS.ErrnoException) => process.exit(err.code === 'EPIPE' ? 0 : 1))

function onInterrupt(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}

const terminal = { env, cwd: process.cwd(), stdin, stdout, stderr, now: () => new Date(), onInterrupt }
process.exitCode = await runCommand(argv.slice(2), terminal)
