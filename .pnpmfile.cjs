/** The viewer of the API reference runs in browsers only, from files that contain all their code. So its packages are not needed. */
function readPackage(manifest) {
  if (manifest.name === '@scalar/api-reference') manifest.dependencies = {}
  return manifest
}

module.exports = { hooks: { readPackage } }
