// Finds the program: a path given in the environment, then the package of this platform.
'use strict';

const fs = require('node:fs');

function findBinary() {
  const given = process.env.PREJOIN_BINARY;
  if (given) {
    if (!fs.existsSync(given)) {
      throw new Error(`PREJOIN_BINARY names ${given}, which does not exist`);
    }
    return given;
  }
  const name = `@prejoin/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/prejoin`);
  } catch {
    throw new Error(
      `prejoin has no program for this machine: the package ${name} is not installed. npm leaves it out with --omit=optional, and when a ` +
        `lock file was written on another platform. Run: npm install ${name}, or set PREJOIN_BINARY to the path of the program. ` +
        'There is a build for linux-x64; on others use the container image.',
    );
  }
}

module.exports = {findBinary};
