package readback

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// connections is how many nodes are talked to at a time.
const connections = 16

// each connects to every target and does something with it. A *passingError
// lists all nodes with a fault that may pass; any other fault is returned alone.
func each(ctx context.Context, credentials Credentials, targets []Target, do func(context.Context, int, *node) error) error {
	errs := make([]error, len(targets))
	slots := make(chan struct{}, connections)
	var running sync.WaitGroup
	for i, t := range targets {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = one(ctx, credentials, t, func(ctx context.Context, n *node) error { return do(ctx, i, n) })
			if given := credentials.givesCertificate(); demandsCertificate(errs[i], given) {
				errs[i] = &clientCertificateError{errs[i], given}
			}
		})
	}
	running.Wait()
	var passing passingError
	for i, err := range errs {
		if err == nil || err == ctx.Err() {
			continue
		}
		err = fmt.Errorf("node %s (%s): %w", targets[i].Name, targets[i].PodIP, err)
		if !passes(err) && ctx.Err() == nil {
			return err
		}
		passing.reasons = append(passing.reasons, err.Error())
	}
	if err := ctx.Err(); err != nil && (!errors.Is(err, context.DeadlineExceeded) || len(passing.reasons) == 0) {
		return err
	}
	if len(passing.reasons) > 0 {
		return &passing
	}
	return nil
}

func one(ctx context.Context, credentials Credentials, t Target, do func(context.Context, *node) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	n, err := dial(t, credentials)
	if err != nil {
		return err
	}
	defer n.close()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return do(ctx, n)
}
