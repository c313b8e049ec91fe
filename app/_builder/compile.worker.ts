import { answerCompile, type CompileRequest } from './compile-request';

self.onmessage = (event: MessageEvent<CompileRequest>) => {
  self.postMessage(answerCompile(event.data));
};
