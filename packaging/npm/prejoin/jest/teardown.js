'use strict';

module.exports = () => globalThis.__PREJOIN_SERVER__?.stop();
