package com.amazonaws.services.dynamodbv2.local.main;

import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;

/** The way in that the Enhanced Client's tests take. */
public class ServerRunner {
    public static DynamoDBProxyServer createServerFromCommandLineArgs(String[] arguments) {
        return new DynamoDBProxyServer(arguments);
    }
}
