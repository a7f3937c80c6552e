export { text } from '../../text/src/index.js'; // fails: leaf-imports-no-package
