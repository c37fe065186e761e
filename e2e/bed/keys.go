package bed

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// What the control plane reads; kube-apiserver makes its own certificate in
// pkiDir, with the node's address and the API's Service address in it.
const (
	pkiDir         = runDir + "/pki"
	accountKey     = pkiDir + "/service-accounts.key"
	accountPub     = pkiDir + "/service-accounts.pub"
	tokenFile      = pkiDir + "/tokens.csv"
	apiserverCert  = pkiDir + "/apiserver.crt"
	kubeconfigPath = runDir + "/kubeconfig"
	adminToken     = "bed-admin"
	apiURL         = "https://" + PodGateway + ":6443"
)

// writeKeys makes the key that signs ServiceAccount tokens and the one static
// user, a cluster administrator.
func writeKeys() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		accountKey: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		accountPub: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		tokenFile:  fmt.Appendf(nil, "%s,admin,admin,\"system:masters\"\n", adminToken),
	}
	for path, data := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["bed"] = &clientcmdapi.Cluster{Server: apiURL, CertificateAuthority: apiserverCert}
	config.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: adminToken}
	config.Contexts["bed"] = &clientcmdapi.Context{Cluster: "bed", AuthInfo: "admin"}
	config.CurrentContext = "bed"
	return clientcmd.WriteToFile(*config, kubeconfigPath)
}
