// Reads an OpenAPI document from stdin and prints its problems. It runs as a process because jest cannot load the validator's module.
import { text } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'

const validator = new Validator()
const { valid, errors } = await validator.validate(JSON.parse(await text(process.stdin)))
process.stdout.write(JSON.stringify({ valid, version: validator.version, errors: errors ?? [] }))
