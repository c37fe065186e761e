package readback

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// gatewayInterval is how soon a Gateway is read again. It is not watched: the right to
// get it is enough then.
const gatewayInterval = 2 * time.Second

// gateway holds the addresses of a Gateway as the API server last sent them.
type gateway struct {
	name    string
	changed func()

	mu      sync.Mutex
	asked   bool
	entries []entry
	fault   fault // of the last request; its err is nil if it succeeded
}

// followGateway reads the plan's Gateway until ctx ends.
func followGateway(ctx context.Context, client *rest.RESTClient, ref *schema.GatewayRef, changed func()) *gateway {
	g := &gateway{name: "Gateway " + schema.QualifiedName(ref.Namespace, ref.Name), changed: changed}
	go func() {
		ticker := time.NewTicker(gatewayInterval)
		defer ticker.Stop()
		for ctx.Err() == nil {
			g.note(client.Get().AbsPath("apis", "gateway.networking.k8s.io", "v1", "namespaces", ref.Namespace, "gateways", ref.Name).
				SetHeader("Accept", "application/json").Do(ctx))
			select {
			case <-ticker.C:
			case <-ctx.Done():
			}
		}
	}()
	return g
}

// note notes what the API server answered.
func (g *gateway) note(result rest.Result) {
	text, _ := result.Raw()
	err := result.Error() // Raw's own error does not say what the API server said
	entries := []entry(nil)
	if err == nil {
		entries, err = gatewayEntries(text)
	}
	g.mu.Lock()
	g.asked, g.entries = true, entries
	denied := time.Time{}
	if apierrors.IsForbidden(err) {
		if denied = g.fault.deniedSince; denied.IsZero() {
			denied = time.Now()
		}
	}
	g.fault = fault{err, denied}
	g.mu.Unlock()
	g.changed()
}

// gatewayEntries reads status.addresses. A type that is not given is IPAddress; there
// are others, of implementations, that nobody can dial.
func gatewayEntries(text []byte) (entries []entry, err error) {
	var g struct {
		Status struct {
			Addresses []struct{ Type, Value string }
		}
	}
	if err := json.Unmarshal(text, &g); err != nil {
		return nil, fmt.Errorf("reading its status: %w", err)
	}
	for _, a := range g.Status.Addresses {
		switch a.Type {
		case "", "IPAddress":
			entries = append(entries, entry{ip: a.Value})
		case "Hostname":
			entries = append(entries, entry{name: a.Value})
		}
	}
	return entries, nil
}

// address is what the nodes behind the Gateway announce, "" as long as it has nothing
// to announce.
func (g *gateway) address() (address, reason string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.fault
	switch {
	case !g.asked:
		return "", "reading " + g.name, nil
	case apierrors.IsNotFound(f.err):
		return "", g.name + " does not exist", nil
	case f.err != nil && !f.deniedSince.IsZero() && time.Since(f.deniedSince) > rightsGrace:
		return "", "", fmt.Errorf("reading %s: %w", g.name, f.err)
	case f.err != nil:
		return "", fmt.Sprintf("reading %s: %v", g.name, f.err), nil
	}
	address, other := announceable(g.entries)
	switch {
	case address != "":
		return address, "", nil
	case other != "":
		return "", "", &AddressError{g.name, other}
	}
	return "", g.name + " has no address yet", nil
}
