#!/usr/bin/env node
import { runCommand } from './run-command.ts'

const { argv, env, stdin, stdout, stderr } = process

// A reader such as `head` closes the pipe before the output ends.
stdout.on('error', (err: NodeJS.ErrnoException) => process.exit(err.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runCommand(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr, now: () => new Date() })
