// hand-written fully unrolled Taylor integrator of the double pendulum (order P): the limit for heyoka at tight tolerances.
// Step-size rule and order as heyoka's (Jorba and Zou): order = ceil(1 - ln(tol)/2).
#include <math.h>
#include <string.h>
#include "sincos.h"
#define UNR _Pragma("GCC unroll 32")
template<int K> static inline __attribute__((always_inline)) double conv(const double*a,const double*b){double r0=0,r1=0;UNR for(int j=0;j<=K;j+=2)r0+=a[K-j]*b[j];UNR for(int j=1;j<=K;j+=2)r1+=a[K-j]*b[j];return r0+r1;}
template<int K> static inline __attribute__((always_inline)) double sq(const double*a){double r=0;UNR for(int j=0;j<(K+1)/2;j++)r+=a[K-j]*a[j];r+=r;if(K%2==0)r+=a[K/2]*a[K/2];return r;}
template<int P> struct T{
  double q1[P+1],q2[P+1],w1[P+1],w2[P+1],e[P+1],s1[P+1],c1[P+1],s2[P+1],c2[P+1],sd[P+1],cd[P+1],W1[P+1],W2[P+1],f1[P+1],f2[P+1],D[P+1],a1[P+1],a2[P+1];
  template<int K> inline __attribute__((always_inline)) void order(double iD){
    if constexpr(K<P){
      if constexpr(K>0){
        constexpr double ik=1.0/K;
        s1[K]=ik*conv<K-1>(c1,w1);c1[K]=-ik*conv<K-1>(s1,w1);s2[K]=ik*conv<K-1>(c2,w2);c2[K]=-ik*conv<K-1>(s2,w2);
        sd[K]=ik*conv<K-1>(cd,e);cd[K]=-ik*conv<K-1>(sd,e);
      }
      W1[K]=sq<K>(w1);W2[K]=sq<K>(w2);
      f1[K]=-conv<K>(sd,W2)-2*9.81*s1[K];f2[K]=conv<K>(sd,W1)-9.81*s2[K];
      double n1=f1[K]-conv<K>(cd,f2),n2=2*f2[K]-conv<K>(cd,f1);
      if constexpr(K>0){D[K]=-sq<K>(cd);n1-=conv<K-1>(a1,D+1);n2-=conv<K-1>(a2,D+1);}
      a1[K]=n1*iD;a2[K]=n2*iD;
      constexpr double i1=1.0/(K+1);
      w1[K+1]=a1[K]*i1;w2[K+1]=a2[K]*i1;e[K+1]=w1[K+1]-w2[K+1];q1[K+1]=w1[K]*i1;q2[K+1]=w2[K]*i1;
      order<K+1>(iD);
    }
  }
  inline double step(double*y,double hmax){
    q1[0]=y[0];q2[0]=y[1];w1[0]=y[2];w2[0]=y[3];e[0]=y[2]-y[3];
    sincos_fast(y[0],&s1[0],&c1[0]);sincos_fast(y[1],&s2[0],&c2[0]);sd[0]=s1[0]*c2[0]-c1[0]*s2[0];cd[0]=c1[0]*c2[0]+s1[0]*s2[0];
    D[0]=2-cd[0]*cd[0];order<0>(1/D[0]);
    auto mx=[&](int k){return fmax(fmax(fabs(q1[k]),fabs(q2[k])),fmax(fabs(w1[k]),fabs(w2[k])));};
    double n=fmax(1.0,mx(0)),r1=pow(n/mx(P-1),1.0/(P-1)),r2=pow(n/mx(P),1.0/P);
    double h=fmin(r1,r2)*0.1353352832366127*exp(-0.7/(P-1));if(h>hmax)h=hmax;
    double A=q1[P],B=q2[P],C=w1[P],E=w2[P];
    UNR for(int k=P-1;k>=1;k--){A=A*h+q1[k];B=B*h+q2[k];C=C*h+w1[k];E=E*h+w2[k];}
    y[0]+=h*A;y[1]+=h*B;y[2]+=h*C;y[3]+=h*E;return h;
  }
};
template<int P> static long go(const double*ic,double Te,double*out){T<P> s;double y[4];memcpy(y,ic,32);double t=0,c=0;long n=0;
  while(t<Te){double h=s.step(y,Te-t);double yy=h-c,tt=t+yy;c=(tt-t)-yy;t=tt;n++;if(Te-t<1e-14)break;}memcpy(out,y,32);return n;}
extern "C" long taylor(int P,const double*ic,double Te,double*out){switch(P){case 12:return go<12>(ic,Te,out);case 15:return go<15>(ic,Te,out);case 19:return go<19>(ic,Te,out);case 20:return go<20>(ic,Te,out);}return -1;}
