#!/bin/sh
# Prints what an image has beside the packages of npm, for `node infra/dependencies.mjs sbom`: its distribution, Node and Debian packages.
#   docker run --rm --interactive --entrypoint sh onward < infra/list-image.sh > image.txt
set -eu
. /etc/os-release
echo "os $ID $VERSION_ID"
echo "node $(node --version)"
dpkg-query --show --showformat 'deb ${Package} ${Version} ${Architecture}\n'
