package readback

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxConnections is how many nodes are connected to at a time.
const maxConnections = 16

// forEachNode connects to every target and does something with it. A *transientError
// lists all nodes with a fault that may pass; any other fault is returned alone.
func forEachNode(ctx context.Context, credentials Credentials, targets []Target, do func(context.Context, int, *connection) error) error {
	errs := make([]error, len(targets))
	slots := make(chan struct{}, maxConnections)
	var running sync.WaitGroup
	for i, t := range targets {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = withNode(ctx, credentials, t, func(ctx context.Context, c *connection) error { return do(ctx, i, c) })
			if given := credentials.givesCertificate(); demandsCertificate(errs[i], given) {
				errs[i] = &clientCertificateError{errs[i], given}
			}
		})
	}
	running.Wait()
	var transient transientError
	for i, err := range errs {
		if err == nil || err == ctx.Err() {
			continue
		}
		err = fmt.Errorf("node %s (%s): %w", targets[i].Name, targets[i].PodIP, err)
		if !isTransient(err) && ctx.Err() == nil {
			return err
		}
		transient.reasons = append(transient.reasons, err.Error())
	}
	if err := ctx.Err(); err != nil && (!errors.Is(err, context.DeadlineExceeded) || len(transient.reasons) == 0) {
		return err
	}
	if len(transient.reasons) > 0 {
		return &transient
	}
	return nil
}

func withNode(ctx context.Context, credentials Credentials, t Target, do func(context.Context, *connection) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c, err := dial(t, credentials)
	if err != nil {
		return err
	}
	defer c.close()
	ctx, cancel := context.WithTimeout(ctx, nodeTimeout)
	defer cancel()
	return do(ctx, c)
}
