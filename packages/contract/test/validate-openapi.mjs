// A process of its own: the validator is a module that jest can't load. Reads a document, says what is wrong with it.
import { text } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'

const validator = new Validator()
const { valid, errors } = await validator.validate(JSON.parse(await text(process.stdin)))
process.stdout.write(JSON.stringify({ valid, version: validator.version, errors: errors ?? [] }))
