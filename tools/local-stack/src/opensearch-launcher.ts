/**
 * The program that runs a node of OpenSearch. OpenSearch's own start program needs the modules folder of the distribution, which is not on
 * Maven. Its first argument is the file of settings. SIGTERM closes the node in an orderly way.
 */
export const launcherSource = `import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

public final class Launcher extends Node {
    private Launcher(Environment environment) {
        super(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, PainlessPlugin.class), false);
    }

    public static void main(String[] args) throws Exception {
        Settings settings = Settings.builder().loadFromPath(Path.of(args[0])).build();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "local");
        Launcher node = new Launcher(environment);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
                node.awaitClose(10, TimeUnit.SECONDS);
            } catch (Exception error) {
                error.printStackTrace();
            }
        }));
        node.start();
        new CountDownLatch(1).await();
    }
}
`;
