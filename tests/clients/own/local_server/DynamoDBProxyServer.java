package com.amazonaws.services.dynamodbv2.local.server;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;

/** Our server in the place of DynamoDB Local: the Enhanced Client's tests make one for each class. */
public class DynamoDBProxyServer {
    private final String port;
    private Process process;

    public DynamoDBProxyServer(String[] arguments) {
        port = arguments[Arrays.asList(arguments).indexOf("-port") + 1];
    }

    public void start() throws Exception {
        process = new ProcessBuilder(System.getenv("PREJOIN_BINARY"), "serve", "--memory", "--port", port, "--log-level", "warning")
            .redirectErrorStream(true).start();
        String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null || !line.contains("listening")) {
            throw new IllegalStateException("the server did not start: " + line);
        }
    }

    public void stop() throws Exception {
        process.destroy();
        process.waitFor();
    }
}
