// The request as the wire carries it.
import type { Emit, EmitTogether } from './emitted.ts';

export const emitJson: Emit = (_draft, { request }) => ({ code: JSON.stringify(request, null, 2), notes: [] });

export const emitJsonTogether: EmitTogether = ({ request }) => ({ code: JSON.stringify(request, null, 2), notes: [] });
