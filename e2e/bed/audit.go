package bed

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

const (
	auditLog        = runDir + "/audit.log"
	auditPolicyFile = runDir + "/audit-policy.yaml"
)

// auditPolicy makes the API server write down what pods' accounts ask for, once
// the question has come.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [ResponseStarted, ResponseComplete, Panic]
rules:
- level: Metadata
  userGroups: ["system:serviceaccounts"]
- level: None
`

// A Request is one that the API server was asked.
type Request struct {
	Verb string `json:"verb"`
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	Object struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Name        string `json:"name"`
	} `json:"objectRef"`
}

func (r Request) String() string {
	s := r.Verb + " " + r.Object.Resource
	if r.Object.Subresource != "" {
		s += "/" + r.Object.Subresource
	}
	if r.Object.Name != "" {
		s += " " + r.Object.Name
	}
	return s
}

// Requests lists what a ServiceAccount of the test's namespace has asked the API
// server so far.
func (b *Bed) Requests(account string) []Request {
	b.T.Helper()
	f, err := os.Open(auditLog)
	if err != nil {
		b.T.Fatal(err)
	}
	defer f.Close()
	user := fmt.Sprintf("system:serviceaccount:%s:%s", b.Namespace, account)
	var requests []Request
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r Request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			continue // the last line, half written
		}
		if r.User.Username == user {
			requests = append(requests, r)
		}
	}
	if err := lines.Err(); err != nil {
		b.T.Fatal(err)
	}
	return requests
}
