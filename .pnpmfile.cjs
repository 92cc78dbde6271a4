function readPackage(manifest) {
  // The viewer of the API reference runs in browsers only, from files that contain all their code. So its packages are not needed.
  if (manifest.name === '@scalar/api-reference') manifest.dependencies = {}
  // Nothing uses its WebSockets. Without this, the images would contain the `ws` of a development dependency.
  if (manifest.name === 'openai') {
    delete manifest.peerDependencies.ws
    delete manifest.peerDependenciesMeta.ws
  }
  return manifest
}

module.exports = { hooks: { readPackage } }
