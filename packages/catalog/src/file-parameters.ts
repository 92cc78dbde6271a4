import type { FunctionFile } from './file/app-file.ts'
import type { ParameterSchema } from './types.ts'

/** How the file parameters of a function look to callers. */
export function fileParameters(files: FunctionFile['files'] = {}): Record<string, ParameterSchema> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      {
        type: 'object',
        ...text,
        properties: {
          url: { type: 'string', format: 'uri', description: 'Public address that the file is fetched from.' },
          base64: { type: 'string', description: 'Content of the file in base64, in place of url.' },
          name: { type: 'string', description: 'File name, with its ending.' },
          content_type: { type: 'string', description: 'Media type of the file, as image/png.' },
        },
        additionalProperties: false,
      },
    ]),
  )
}
