package podrunner

import (
	"net"
	"strconv"
	"time"
)

// valkeyPort is the port whose opening makes a container ready that declares it.
const valkeyPort = 6379

// probePort is where readiness is tried; 0 means that running is enough.
func (c *container) probePort() int32 {
	if probe := c.spec.ReadinessProbe; probe != nil && probe.TCPSocket != nil {
		if port := probe.TCPSocket.Port.IntVal; port != 0 {
			return port
		}
		for _, declared := range c.spec.Ports {
			if declared.Name == probe.TCPSocket.Port.StrVal {
				return declared.ContainerPort
			}
		}
	}
	for _, declared := range c.spec.Ports {
		if declared.ContainerPort == valkeyPort {
			return valkeyPort
		}
	}
	return 0
}

func (c *container) hasProbe() bool { return c.probePort() != 0 }

// probe tries the port until done: often while the container starts, then once a
// second.
func (c *container) probe(done <-chan struct{}) {
	port := c.probePort()
	if port == 0 {
		return
	}
	address := net.JoinHostPort(c.pod.ip, strconv.Itoa(int(port)))
	period := 50 * time.Millisecond
	for {
		select {
		case <-done:
			return
		case <-time.After(period):
		}
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
			period = time.Second
		}
		c.setReady(err == nil, done)
	}
}

// setReady reports a change, unless the process has ended meanwhile.
func (c *container) setReady(ready bool, done <-chan struct{}) {
	c.pod.mu.Lock()
	defer c.pod.mu.Unlock()
	select {
	case <-done:
		return
	default:
	}
	if c.ready != ready && c.state.Running != nil {
		c.ready = ready
		c.pod.touch()
	}
}
