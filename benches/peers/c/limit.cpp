// The hand-written side of the table: the protocol of ../python/peer.py.
// Arguments: rows, --starts=FILE with lines "name kind numbers" (kind: state, start, starts, end, ensemble).
#include "list.h"
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#include <math.h>
#include <stdio.h>
#include <time.h>
using std::string;
typedef std::vector<double> List;
typedef void (*One)(const double *, double *);
typedef void (*Many)(int, const double *, double *);
extern "C" {
double latency(One, const double *, int, int, long);
double batch(Many, const double *, int, int, long);
#define DECLARE(name, n, k) void one_##name(const double *, double *); void many_##name(int, const double *, double *);
SYSTEMS(DECLARE)
#define DECLARE_CHAIN(n)                                                                  \
  void one_tri##n(const double *, double *); void many_tri##n(int, const double *, double *); \
  void lanes_nlink##n(int, const double *, double *); void lanes_tri##n(int, const double *, double *);
CHAINS(DECLARE_CHAIN)
long run_double_pendulum(const double *, double, double, double *);
long run_nlink6(const double *, double, double, double *);
long run_particle(const double *, double, double, double *);
long run_ball(const double *, double, double, double *);
long taylor(int, const double *, double, double *);
long exact(double *, long, double *, double *);
long dop(double *, long, double, double *, double *, long *);
long bounce(double, long, double, double *);
}
struct Result {
  double ns;
  List outputs, state, times;
  long steps = -1;
};
struct Contestant {
  string row, name, role;
  double tolerance;
  std::function<Result()> measure;
};
static std::map<string, List> numbers;
static std::set<string> wanted;
static std::vector<Contestant> all;
static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
static void add(string row, string name, string role, double tolerance, std::function<Result()> measure) {
  if (wanted.count(row)) all.push_back({row, name, role, tolerance, measure});
}
static void add_latency(string system, string name, string role, One f, int n, int k) {
  List s = numbers[system + " state"];
  add("latency/" + system, name, role, 0, [=] {
    Result r;
    double once = latency(f, s.data(), 2 * n, n + k, 2000);
    r.ns = latency(f, s.data(), 2 * n, n + k, 6e6 / once);
    r.outputs.resize(n + k);
    f(s.data(), r.outputs.data());
    return r;
  });
}
static void add_batch(string system, string name, string role, Many f, int n, int k) {
  List s = numbers[system + " state"];
  add("batch/" + system, name, role, 0, [=] {
    Result r;
    double once = batch(f, s.data(), 2 * n, n + k, 2000);
    r.ns = batch(f, s.data(), 2 * n, n + k, 6e6 / once);
    enum { B = 8 };
    List in, out((n + k) * B);
    for (double x : s) in.insert(in.end(), B, x);
    f(B, in.data(), out.data());
    for (int i = 0; i < n + k; i++) r.outputs.push_back(out[i * B]);
    return r;
  });
}
// from each start to the end; the time of one run
static void add_run(string system, long (*f)(const double *, double, double, double *)) {
  List starts = numbers[system + " starts"], end = numbers[system + " end"];
  size_t size = numbers[system + " start"].size(), count = starts.size() / size;
  for (double tolerance : {1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15})
    add("precision/" + system, "by hand, DOP853", "limit", tolerance, [=] {
      Result r;
      r.state.resize(starts.size());
      r.steps = 0;
      double t = now();
      for (size_t i = 0; i < starts.size(); i += size) r.steps += f(&starts[i], end[0], tolerance, &r.state[i]);
      r.ns = (now() - t) / count;
      r.steps /= count;
      return r;
    });
}
static void add_taylor(int order) {
  List s = numbers["double_pendulum start"], end = numbers["double_pendulum end"];
  add("taylor/" + std::to_string(order), "by hand, unrolled", "limit", 0, [=] {
    Result r;
    r.state.resize(4);
    double t = now();
    r.steps = taylor(order, s.data(), end[0], r.state.data());
    r.ns = (now() - t) / r.steps;
    return r;
  });
}
static Result impacts(bool arcs, long count) {
  Result r;
  r.state = numbers["penny start"];
  r.times.resize(count);
  double end, t = now();
  if (arcs) exact(r.state.data(), count, &end, r.times.data());
  else dop(r.state.data(), count, 1e-12, &end, r.times.data(), &r.steps);
  r.ns = (now() - t) / count;
  r.times.resize(20);
  return r;
}
static Result bounces() {
  Result r;
  r.times.resize(150);
  double t = now();
  r.times.resize(bounce(0.9, 150, 1e-12, r.times.data()));
  r.ns = (now() - t) / 150;
  return r;
}
// half of the pennies on each of two threads; time of the threads together for each penny
static Result ensemble() {
  const List &starts = numbers["penny ensemble"];
  size_t count = starts.size() / 8;
  List ends(count);
  double spent[2];
  auto half = [&](int part) {
    double t = now();
    for (size_t i = part; i < count; i += 2) {
      double y[8];
      for (int j = 0; j < 8; j++) y[j] = starts[8 * i + j];
      exact(y, 20, &ends[i], nullptr);
    }
    spent[part] = now() - t;
  };
  std::thread other(half, 1);
  half(0);
  other.join();
  Result r;
  r.ns = (spent[0] + spent[1]) / count;
  r.times = ends;
  return r;
}
static void enter() {
#define ENTER(name, n, k)                                          \
  add_latency(#name, "by hand", "limit", one_##name, n, k);        \
  add_batch(#name, "by hand, vectorised by gcc", "limit", many_##name, n, k);
  SYSTEMS(ENTER)
#define ENTER_CHAIN(n)                                                                       \
  add_latency("nlink" #n, "by hand, O(n)", "limit", one_tri##n, n, 0);                       \
  add_batch("nlink" #n, "by hand, vector types", "limit", lanes_nlink##n, n, 0);             \
  add_batch("nlink" #n, "by hand, vector types, O(n)", "limit", lanes_tri##n, n, 0);
  CHAINS(ENTER_CHAIN)
  add_run("double_pendulum", run_double_pendulum);
  add_run("nlink6", run_nlink6);
  add_run("particle", run_particle);
  add_run("ball", run_ball);
  for (int order : {12, 15, 19}) add_taylor(order);
  add("impacts", "by hand, exact arcs and Newton", "limit", 0, [] { return impacts(true, 10000); });
  add("impacts", "by hand, DOP853", "aside", 1e-12, [] { return impacts(false, 10000); });
  add("bounces", "by hand, DOP853", "limit", 1e-12, bounces);
  add("ensemble", "by hand, exact arcs and Newton", "limit", 0, ensemble);
}
static void list(const char *name, const List &values) {
  if (values.empty()) return;
  printf(", \"%s\": [", name);
  for (size_t i = 0; i < values.size(); i++) printf("%s%.17g", i ? ", " : "", values[i]);
  printf("]");
}
int main(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    string argument = arguments[i];
    if (argument.rfind("--starts=", 0) != 0) { wanted.insert(argument); continue; }
    std::ifstream file(argument.substr(9));
    for (string line; std::getline(file, line);) {
      std::istringstream words(line);
      string name, kind;
      words >> name >> kind;
      numbers[name + " " + kind] = List(std::istream_iterator<double>(words), {});
    }
  }
  enter();
  printf("{\"contestants\": [");
  for (size_t i = 0; i < all.size(); i++) {
    const Contestant &c = all[i];
    printf("%s{\"row\": \"%s\", \"name\": \"%s\", \"role\": \"%s\"", i ? ", " : "", c.row.c_str(), c.name.c_str(), c.role.c_str());
    if (c.tolerance > 0) printf(", \"tolerance\": %g", c.tolerance);
    printf("}");
  }
  printf("], \"versions\": {\"g++\": \"%s\"}, \"failed\": []}\n", __VERSION__);
  fflush(stdout);
  for (string line; std::getline(std::cin, line);) {
    Result r = all[std::stoul(line)].measure();
    printf("{\"ns\": %.17g", r.ns);
    list("outputs", r.outputs);
    list("state", r.state);
    list("times", r.times);
    if (r.steps >= 0) printf(", \"steps\": %ld", r.steps);
    printf("}\n");
    fflush(stdout);
  }
}
