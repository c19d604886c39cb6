// Makes a Java trust store of the certificates in a PEM file: java TrustStore.java FILE.pem STORE
// Debian's Java reads one that only the package ca-certificates-java makes.

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

class TrustStore {
  // Java's own default; the store holds no secret.
  private static final char[] PASSWORD = "changeit".toCharArray();

  public static void main(String[] arguments) throws Exception {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    try (InputStream input = new BufferedInputStream(new FileInputStream(arguments[0]))) {
      int count = 0;
      for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
        store.setCertificateEntry("ca-" + count++, certificate);
      }
    }
    try (OutputStream output = new FileOutputStream(arguments[1])) {
      store.store(output, PASSWORD);
    }
  }
}
