import { functionsOf, importDocument, importFiles, importOne, openApi } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the parameters of an operation whose JSON body has this schema. */
async function parametersOf(schema: Parts, schemas: Parts = {}) {
  const post = { operationId: 'createPet', requestBody: { content: { 'application/json': { schema } } } }
  const { parameters } = await importOne(openApi({ '/pets': { post } }, { components: { schemas } }))
  return parameters
}

/** Returns the schema of one query parameter without its description, from a document in this text. */
async function fromText(schema: string, name = 'desk.json') {
  const document = openApi({ '/pets': { get: { operationId: 'findPets', parameters: [{ name: 'q', in: 'query', schema: 'SCHEMA' }] } } })
  const imported = await importFiles({ [name]: JSON.stringify(document).replace('"SCHEMA"', schema) })
  const { description: _, ...found } = functionsOf(imported)['find-pets']?.parameters.properties.q ?? { description: '' }
  return [found, imported.report.operations.flatMap(({ reasons }) => reasons)]
}

/** Returns the schema of one body property without its description. */
async function propertyOf(property: unknown, schemas: Parts = {}) {
  const { properties } = await parametersOf({ type: 'object', properties: { pet: property } }, schemas)
  const { description: _, ...schema } = properties.pet as { description?: string }
  return schema
}

describe('a schema', () => {
  it.each<[string, unknown, unknown]>([
    ['a type array with null', { type: ['integer', 'null'] }, { type: 'integer', nullable: true }],
    ['a type array of scalars', { type: ['integer', 'string'] }, { type: 'string' }],
    ['const', { const: 'cat' }, { type: 'string', enum: ['cat'] }],
    ['enum with null', { type: 'string', enum: ['a', null, 'b', 'a'] }, { type: 'string', nullable: true, enum: ['a', 'b'] }],
    ['enum of another type', { type: 'string', enum: [1, true] }, { type: 'string', enum: ['1', 'true'] }],
    ['enum of no fitting values', { type: 'integer', enum: ['one'] }, { type: 'integer' }],
    ['enum of booleans', { type: 'boolean', enum: [true] }, { type: 'boolean' }],
    ['no type but an enum', { enum: ['a'] }, { type: 'string', enum: ['a'] }],
    ['no type but properties', { properties: { a: { type: 'string' } } }, { type: 'object', properties: { a: { type: 'string' } } }],
    ['no type but items', { items: { type: 'number' } }, { type: 'array', items: { type: 'number' } }],
    ['no type but an example', { example: 7 }, { type: 'integer' }],
    ['nothing', {}, { type: 'string' }],
    ['an array without items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }] }, { type: 'array', items: { type: 'integer' } }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { type: 'object', additionalProperties: { type: 'integer' } }],
    ['an open object', { type: 'object' }, { type: 'object', additionalProperties: true }],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['an unknown format', { type: 'string', format: 'phone' }, { type: 'string' }],
    ['a pattern', { type: 'string', pattern: '^[a-z]+$' }, { type: 'string', pattern: '^[a-z]+$' }],
    ['an empty pattern', { type: 'string', pattern: '' }, { type: 'string' }],
    ['a pattern that is none', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['a pattern that is none with u', { type: 'string', pattern: '\\-' }, { type: 'string' }],
    ...[
      ...['^\\d{4}-\\d{2}-\\d{2}$', '^.*-.*-.*$', '^\\S+@\\S+\\.\\S+$', '^a{1,101}b+$', '[a-z]+$', '^a|[a-z]+$', '^[UW][A-Z]{8,}$|^$'],
      ...['^(a+)+$', '^(a|a)*$', '^((a{1,9}){1,9}){1,9}$', '^(a|a){32}$', `^${'a?'.repeat(40)}$`, 'a{0,30}a{0,30}b'],
    ].map((pattern): [string, object, object] => [
      `the pattern ${pattern}, which runs in linear time`,
      { type: 'string', pattern },
      { type: 'string', pattern },
    ]),
    ...[
      '(?:a{9999}){9999}b',
      '(?:a{100}){100}',
      '^(?=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<x>a)\\k<x>',
      'a'.repeat(301),
      'a{900}a{900}a{900}',
    ].map((pattern): [string, object, object] => [
      `the pattern ${pattern}, which is dropped`,
      { type: 'string', pattern },
      { type: 'string' },
    ]),
    ['bounds', { type: 'integer', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 1, maximum: 9 }],
    ['an exclusive bound of 3.0', { type: 'number', minimum: 0, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 0 }],
    ['an exclusive bound of 3.1', { type: 'number', exclusiveMaximum: 5 }, { type: 'number', exclusiveMaximum: 5 }],
    ['bounds beyond what is exact', { type: 'integer', maximum: 2 ** 63 }, { type: 'integer' }],
    ['bounds that nothing fits', { type: 'integer', minimum: 5, maximum: 1 }, { type: 'integer' }],
    ['bounds of another type', { type: 'string', minimum: 5, maxItems: 1, maxLength: 3 }, { type: 'string', maxLength: 3 }],
    ['a step that is no whole number', { type: 'number', multipleOf: 0.01 }, { type: 'number' }],
    ['true', true, { type: 'string' }],
  ])('becomes one that every model accepts: %s', async (_, schema, expected) => {
    expect(await propertyOf(schema)).toEqual(expected)
  })

  it('merges allOf at any depth', async () => {
    const schemas = {
      Animal: {
        type: 'object',
        properties: { name: { type: 'string' }, kind: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Animal' },
          { properties: { kind: { enum: ['cat'] }, lives: { type: 'integer' } }, required: ['lives'] },
        ],
      },
    }
    expect(
      await parametersOf({ allOf: [{ $ref: '#/components/schemas/Cat' }, { properties: { toy: { type: 'string' } } }] }, schemas),
    ).toMatchObject({
      properties: {
        name: { type: 'string' },
        kind: { type: 'string', enum: ['cat'] },
        lives: { type: 'integer' },
        toy: { type: 'string' },
      },
      required: ['name', 'lives'],
    })
  })

  it('has all properties of its alternatives and requires those that every alternative requires', async () => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { id: { type: 'integer' }, email: { type: 'string' } }, required: ['id', 'email'] },
        { type: 'object', properties: { id: { type: 'string' }, phone: { type: 'string' } }, required: ['id', 'phone'] },
      ],
    }
    expect(await parametersOf(schema)).toMatchObject({
      properties: { id: { type: 'string' }, email: { type: 'string' }, phone: { type: 'string' } },
      required: ['id'],
    })
  })

  it.each<[string, unknown, unknown]>([
    ['text before numbers', { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 3 }] }, { type: 'string' }],
    ['numbers before whole numbers', { oneOf: [{ type: 'integer', minimum: 1 }, { type: 'number' }] }, { type: 'number' }],
    ['what is not null', { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }] }, { type: 'string', nullable: true, maxLength: 3 }],
    ['the choices of all', { oneOf: [{ const: 'a' }, { type: 'string', enum: ['b'] }] }, { type: 'string', enum: ['a', 'b'] }],
    ['no choices where one is free', { anyOf: [{ const: 'a' }, { type: 'string' }] }, { type: 'string' }],
    [
      'lists before single values',
      { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'objects before text',
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
  ])('merges alternatives to %s', async (_, schema, expected) => {
    expect(await propertyOf(schema)).toEqual(expected)
  })

  it('lists the values of a discriminator', async () => {
    const schemas = {
      Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } }, required: ['kind'] },
      Dog: { type: 'object', properties: { kind: { type: 'string' }, tricks: { type: 'integer' } }, required: ['kind'] },
    }
    const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
    const mapping = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }
    const { properties, required } = await parametersOf({ oneOf, discriminator: { propertyName: 'kind', mapping } }, schemas)
    expect(properties).toMatchObject({
      kind: { type: 'string', enum: ['cat', 'dog'] },
      lives: { type: 'integer' },
      tricks: { type: 'integer' },
    })
    expect(required).toEqual(['kind'])
  })

  it('keeps which properties belong together in each alternative, and the values that show which one it is', async () => {
    const schemas = {
      Card: { title: 'Card payment', properties: { type: { const: 'card' }, 'card-number': { type: 'string' }, owner: ref('Owner') } },
      Bank: { properties: { type: { const: 'bank' }, iban: { type: 'string' }, owner: ref('Owner') } },
      Owner: { anyOf: [{ properties: { name: { type: 'string' } } }, { properties: { id: { type: 'integer' } } }] },
    }
    const { alternatives, properties } = await parametersOf({ oneOf: [ref('Card'), ref('Bank')] }, schemas)
    expect(alternatives).toEqual([
      { title: 'Card payment', properties: ['type', 'card_number', 'owner'], values: { type: 'card' } },
      { title: 'Bank', properties: ['type', 'iban', 'owner'], values: { type: 'bank' } },
    ])
    expect(properties.owner?.alternatives).toEqual([
      { title: 'Option 1', properties: ['name'] },
      { title: 'Option 2', properties: ['id'] },
    ])
    const pets = ['lives', 'tricks'].map((name) => ({ title: 'Pet', properties: { [name]: { type: 'integer' } } }))
    expect((await parametersOf({ anyOf: pets })).alternatives?.map(({ title }) => title)).toEqual(['Pet 1', 'Pet 2'])
    const mapping = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }
    const animals = {
      Cat: { properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
      Dog: { properties: { kind: { type: 'string' }, tricks: { type: 'integer' } } },
    }
    const animal = await parametersOf({ oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } }, animals)
    expect(animal.alternatives?.map(({ values }) => values)).toEqual([{ kind: 'cat' }, { kind: 'dog' }])
  })

  it('has no alternatives where all have the same properties, or only one is an object', async () => {
    const pet = { properties: { name: { type: 'string' } } }
    const { properties } = await parametersOf({ properties: { a: { oneOf: [pet, pet] }, b: { oneOf: [pet, { type: 'string' }] } } })
    expect([properties.a, properties.b].map((each) => each?.alternatives)).toEqual([undefined, undefined])
  })

  it('ends in an open object when it contains itself', async () => {
    const schemas = {
      Pet: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          parent: { $ref: '#/components/schemas/Pet' },
          litter: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    }
    const { properties } = await parametersOf({ $ref: '#/components/schemas/Pet' }, schemas)
    const inner = {
      properties: {
        name: { type: 'string' },
        parent: { type: 'object', additionalProperties: true },
        litter: { items: { type: 'object', additionalProperties: true } },
      },
    }
    expect(properties).toMatchObject({ name: { type: 'string' }, parent: inner, litter: { type: 'array', items: inner } })
  })

  it('is merged once when it refers to itself through allOf', async () => {
    const schemas = {
      A: { allOf: [{ $ref: '#/components/schemas/B' }], properties: { a: { type: 'string' } } },
      B: { allOf: [{ $ref: '#/components/schemas/A' }], properties: { b: { type: 'string' } } },
    }
    expect((await parametersOf({ $ref: '#/components/schemas/A' }, schemas)).properties).toMatchObject({
      a: { type: 'string' },
      b: { type: 'string' },
    })
  })

  it('is cut after five levels', async () => {
    const nested = (depth: number): Parts => ({
      type: 'object',
      properties: depth === 0 ? { end: { type: 'string' } } : { in: nested(depth - 1) },
    })
    const { properties } = await parametersOf(nested(8))
    expect(JSON.stringify(properties).match(/"in"/g)).toHaveLength(5)
    expect(JSON.stringify(properties)).toContain('"additionalProperties":true')
  })

  it('is imported with less depth when it has very many branches', async () => {
    const wide = (depth: number): Parts => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`p${index}`, depth === 0 ? { type: 'string' } : wide(depth - 1)]),
      ),
    })
    const { properties } = await parametersOf(wide(3))
    expect(JSON.stringify(properties).length).toBeLessThan(60_000)
    expect(Object.keys(properties)).toHaveLength(12)
  })

  it('leaves out read-only properties and names that are reserved in JavaScript', async () => {
    const schema = JSON.parse(
      '{"type":"object","required":["id","__proto__","name"],"properties":{"id":{"readOnly":true,"type":"string"},"name":{"type":"string"},"__proto__":{"type":"string"},' +
        '"deep":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"a b":{"type":"string"},"c":{"type":"string"}}}}}',
    )
    const { properties, required } = await parametersOf(schema)
    expect(Object.keys(properties)).toEqual(['name', 'deep'])
    expect(required).toEqual(['name'])
    expect(properties.deep).toMatchObject({ properties: { c: { type: 'string' } }, additionalProperties: true })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('keeps the default of a query and only describes the default of a body', async () => {
    const parameters = [
      { name: 'size', in: 'query', schema: { type: 'integer', default: 20, maximum: 50 } },
      { name: 'bad', in: 'query', schema: { type: 'integer', default: 'many' } },
    ]
    const body = { type: 'object', properties: { color: { type: 'string', default: 'red', description: 'Its colour' } } }
    const post = { operationId: 'createPet', parameters, requestBody: { content: { 'application/json': { schema: body } } } }
    const { file } = await importDocument(openApi({ '/pets': { post } }))
    expect(file?.functions['create-pet']?.parameters?.properties).toEqual({
      size: { type: 'integer', maximum: 50, default: 20, description: 'Size.' },
      bad: { type: 'integer', description: 'Bad.' },
      color: { type: 'string', description: 'Its colour. Default: "red".' },
    })
  })
})

describe('a number in an enum, a const or a default', () => {
  const TOO_LONG = 'an enum with numbers of too many digits accepts any value'
  it.each<[string, object, string[]]>([
    ['{"type":"string","enum":[1.0,1.10]}', { type: 'string', enum: ['1.0', '1.10'] }, []],
    ['{"type":"string","default":1.10}', { type: 'string', default: '1.10' }, []],
    ['{"type":"string","enum":[1909699624467843944]}', { type: 'string', enum: ['1909699624467843944'] }, []],
    ['{"type":"array","items":{"type":"string"},"default":[1.0]}', { type: 'array', items: { type: 'string' }, default: ['1.0'] }, []],
    ['{"type":"number","enum":[1.0,2.50]}', { type: 'number', enum: [1, 2.5] }, []],
    ['{"type":"integer","default":5.0}', { type: 'integer', default: 5 }, []],
    ['{"default":1.50}', { type: 'number', default: 1.5 }, []],
    ['{"type":"integer","enum":[1909699624467843944,1]}', { type: 'integer' }, [TOO_LONG]],
    ['{"const":1909699624467843944}', { type: 'integer' }, [TOO_LONG]],
    ['{"type":"integer","default":1909699624467843944}', { type: 'integer' }, ['a default with too many digits is left out']],
    ['{"type":"integer","minimum":1.0}', { type: 'integer', minimum: 1 }, []],
  ])('is what the document has, or is left out with a reason: %s', async (schema, expected, reasons) => {
    for (const name of ['desk.json', 'desk.yaml']) expect(await fromText(schema, name)).toEqual([expected, reasons])
  })

  it('keeps the zeros of YAML', async () => {
    expect(await fromText('{type: string, enum: [01, 02], default: 01}', 'desk.yaml')).toEqual([
      { type: 'string', enum: ['01', '02'], default: '01' },
      [],
    ])
  })

  it('keeps the zeros of a version in the address', async () => {
    const servers = [{ url: 'https://api.desk.example/v{version}', variables: { version: { default: 'VERSION' } } }]
    const document = JSON.stringify(openApi({ '/pets': { get: { operationId: 'findPets' } } }, { servers })).replace('"VERSION"', '1.10')
    for (const name of ['desk.json', 'desk.yaml']) {
      expect((await importFiles({ [name]: document })).file?.base_url).toBe('https://api.desk.example/v1.10')
    }
  })
})
