// The verbs of the `prejoin` command. Each has a file of its own with one function that is listed
// in main.cc.
#ifndef PREJOIN_CLI_VERB_H_
#define PREJOIN_CLI_VERB_H_

namespace CLI {
class App;
}

namespace prejoin::cli {

// The exit codes of all verbs.
enum ExitCode : int {
  kFine = 0,
  kAnswerIsNo = 1,
  kCouldNotRun = 2,
};

// Adds a verb with its options to the program. When the command line names the verb, its callback
// runs it and stores the exit code.
using AddVerb = void (*)(CLI::App& program, ExitCode& exit_code);

void AddServe(CLI::App& program, ExitCode& exit_code);
void AddCheck(CLI::App& program, ExitCode& exit_code);
void AddFmt(CLI::App& program, ExitCode& exit_code);
void AddProve(CLI::App& program, ExitCode& exit_code);
void AddCost(CLI::App& program, ExitCode& exit_code);
void AddExplain(CLI::App& program, ExitCode& exit_code);
void AddAdvise(CLI::App& program, ExitCode& exit_code);
void AddNew(CLI::App& program, ExitCode& exit_code);
void AddDesign(CLI::App& program, ExitCode& exit_code);
void AddDiff(CLI::App& program, ExitCode& exit_code);
void AddMigrate(CLI::App& program, ExitCode& exit_code);
void AddChart(CLI::App& program, ExitCode& exit_code);
void AddHealth(CLI::App& program, ExitCode& exit_code);
void AddGen(CLI::App& program, ExitCode& exit_code);
void AddAudit(CLI::App& program, ExitCode& exit_code);
void AddApply(CLI::App& program, ExitCode& exit_code);
void AddExport(CLI::App& program, ExitCode& exit_code);
void AddImport(CLI::App& program, ExitCode& exit_code);
void AddImportModel(CLI::App& program, ExitCode& exit_code);
void AddCluster(CLI::App& program, ExitCode& exit_code);
void AddAccess(CLI::App& program, ExitCode& exit_code);
void AddRepair(CLI::App& program, ExitCode& exit_code);
void AddVerify(CLI::App& program, ExitCode& exit_code);
void AddInfer(CLI::App& program, ExitCode& exit_code);
void AddLsp(CLI::App& program, ExitCode& exit_code);
void AddMcp(CLI::App& program, ExitCode& exit_code);
void AddModelWorker(CLI::App& program, ExitCode& exit_code);
void AddShell(CLI::App& program, ExitCode& exit_code);
void AddSimulate(CLI::App& program, ExitCode& exit_code);
void AddStudio(CLI::App& program, ExitCode& exit_code);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_VERB_H_
