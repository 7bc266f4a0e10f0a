"""All that touches Mephisto's internals, so that nothing else has to: shim, router, channel, architect, operator."""
