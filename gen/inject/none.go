package inject

import "github.com/valkey-expose/valkey-expose/schema"

func none() Way { return Way{Name: schema.InjectNone} }
