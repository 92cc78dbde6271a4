import type { FunctionFile } from '@onward/catalog'
import type { JsonObject } from '@onward/openapi/conformance'
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  type SelectionSetNode,
  specifiedRules,
  TypeInfo,
  typeFromAST,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** A GraphQL request as an operation of OpenAPI: the body contains the variables, the response what the document selects. */
type AsOperation = { readonly operation: JsonObject; readonly components: JsonObject; readonly problems: readonly string[] }

/** Validates the document of a function against a schema. A document that is invalid has no operation to compare with. */
export function describeGraphql({ request }: FunctionFile, schema: GraphQLSchema): AsOperation {
  const document = parse(request.graphql ?? '')
  const problems = validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => `graphql: ${message}`)
  const components = { schemas: inputsOf(schema) }
  return { components, problems, operation: { ...variablesOf(document, schema), ...responseOf(document, schema) } }
}

function variablesOf(document: DocumentNode, schema: GraphQLSchema): JsonObject {
  const variables = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? (each.variableDefinitions ?? []) : [],
  )
  const typed = variables.flatMap((each) => {
    const type = typeFromAST(schema, each.type as never) as GraphQLInputType | undefined
    return type === undefined
      ? []
      : [{ name: each.variable.name.value, type, optional: !isNonNullType(type) || each.defaultValue !== undefined }]
  })
  if (typed.length === 0) return {}
  return { requestBody: { content: { 'application/json': { schema: objectOf(typed) } } } }
}

function objectOf(fields: readonly { name: string; type: GraphQLInputType; optional: boolean; deprecated?: boolean }[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, deprecated }) => [name, deprecated ? { allOf: [inputOf(type)], deprecated } : inputOf(type)]),
    ),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
    additionalProperties: false,
  }
}

function inputsOf(schema: GraphQLSchema): JsonObject {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  return Object.fromEntries(
    inputs.map((input) => {
      const fields = Object.values(input.getFields()).map(({ name, type, defaultValue, deprecationReason }) => ({
        name,
        type,
        optional: !isNonNullType(type) || defaultValue !== undefined,
        deprecated: deprecationReason != null,
      }))
      return [input.name, objectOf(fields)]
    }),
  )
}

function inputOf(type: GraphQLInputType): JsonObject {
  if (isNonNullType(type)) return inputOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: inputOf(type.ofType) }
  if (isInputObjectType(type)) return { $ref: `#/components/schemas/${type.name}` }
  return leafOf(type)
}

/** The schema of a scalar or an enum. Scalars of the vendor may be anything. */
function leafOf(type: unknown): JsonObject {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  const types: Record<string, string> = { String: 'string', Int: 'integer', Float: 'number', Boolean: 'boolean', ID: 'string' }
  const name = isScalarType(type) ? types[type.name] : undefined
  return name === undefined ? {} : { type: name }
}

/** Returns the shape of the response: what the document selects, with the types of the schema. */
function responseOf(document: DocumentNode, schema: GraphQLSchema): JsonObject {
  const info = new TypeInfo(schema)
  const types = new Map<object, GraphQLOutputType>()
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (node) => {
        const type = info.getType()
        if (type) types.set(node, type)
      },
    }),
  )
  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)
  const data = operation === undefined ? {} : selected(operation.selectionSet, document, types)
  return { responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'object', properties: { data } } } } } } }
}

function selected(set: SelectionSetNode, document: DocumentNode, types: ReadonlyMap<object, GraphQLOutputType>): JsonObject {
  const properties: Record<string, JsonObject> = {}
  const add = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) add(node.selectionSet)
      else if (node.kind === Kind.FRAGMENT_SPREAD) {
        for (const each of document.definitions)
          if (each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value) add(each.selectionSet)
      } else {
        const type = types.get(node)
        const inner = node.selectionSet
        if (type !== undefined)
          properties[(node.alias ?? node.name).value] = shapeOf(type, () =>
            inner ? selected(inner, document, types) : leafOf(getNamedType(type)),
          )
      }
    }
  }
  add(set)
  return { type: 'object', properties, additionalProperties: false }
}

function shapeOf(type: GraphQLOutputType, leaf: () => JsonObject): JsonObject {
  if (isNonNullType(type)) return shapeOf(type.ofType, leaf)
  return isListType(type) ? { type: 'array', items: shapeOf(type.ofType, leaf) } : leaf()
}
